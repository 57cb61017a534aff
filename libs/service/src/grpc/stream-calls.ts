import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Metadata, type CallOptions, type Client, type ClientDuplexStream, type ClientReadableStream } from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { deadlineOf } from './call-context.js';
import { connected } from './connected.js';
import { grantedMetadata } from './grants/granted-metadata.js';
import { messageGate } from './message-gate.js';
import { pauseBeforeRepeat } from './repeats.js';
import { toAppError } from './status.js';
import { endWithSignal, messagesOf, StallError } from './streamed-messages.js';

const DEFAULT_STALL_MS = 15_000;
/** `stallMs` for responses that have to be computed before their first message. */
export const RUN_STALL_MS = 120_000;

type StreamMethod<Req, Res> = (request: Req, metadata?: Metadata, options?: Partial<CallOptions>) => ClientReadableStream<Res>;
type BidiMethod<Req, Res> = (metadata: Metadata, options?: Partial<CallOptions>) => ClientDuplexStream<Req, Res>;

/** Options for reading a stream. */
export interface StreamOptions {
  /** Ends the call. The signal of a served call also passes on that call's deadline and grant. */
  readonly signal?: AbortSignal;
  /** Deadline of the call, in milliseconds from now. Without it, only the signal and a stall end a stream. */
  readonly deadlineMs?: number;
  /** How long the reader waits for each message, in milliseconds; 15,000 by default. For the first one, retries included. */
  readonly stallMs?: number;
}

/**
 * Reads a server stream: `for await (const message of readStream(records, records.listEmployees, request, { signal }))`. The server sends
 * only as fast as the loop reads; leaving the loop ends the call. The call is made when the first message is requested. Since reading
 * changes nothing, a call that fails before its first message is retried like an idempotent unary call.
 *
 * @throws AppError from the loop
 */
export async function* readStream<Req, Res>(
  client: Client,
  method: StreamMethod<Req, Res>,
  request: Req,
  options: StreamOptions = {},
): AsyncGenerator<Res, void, undefined> {
  const { signal, stallMs = DEFAULT_STALL_MS } = options;
  const deadline = deadlineOfStream(options);
  let first: AppError | undefined;
  let firstBy: number | undefined;
  for (let attempt = 0; ; attempt += 1) {
    // A service that a call has killed cannot be reached for a while; what happened to the call says more than that.
    await connected(client, deadline).catch((caught: unknown) => {
      throw first ?? caught;
    });
    const gate = messageGate();
    const metadata = grantedMetadata(client, { request, signal, lasts: 'stream' });
    const call = method.call(client, request, metadata, { deadline, interceptors: [gate.interceptor] });
    const startedAt = performance.now();
    // A retry gets the rest of the time, because whoever waits for this reader waits only so long.
    firstBy ??= startedAt + stallMs;
    const firstMs = Math.max(0, firstBy - startedAt);
    endWithSignal(call, signal);
    let hasBegun = false;
    try {
      for await (const message of messagesOf(call, { gate, signal, stallMs, firstMs })) {
        hasBegun = true;
        yield message;
      }
      return;
    } catch (caught) {
      const error = AppError.from(caught);
      const isFinal = hasBegun || error.cause instanceof StallError;
      const pauseMs = isFinal ? undefined : pauseBeforeRepeat({ error, idempotent: true, first, attempt, startedAt, deadline, signal });
      if (pauseMs === undefined) throw error;
      first ??= error;
      await delay(pauseMs);
    }
  }
}

/** Both directions of a bidirectional call. */
export interface BidiCall<Req, Res> {
  /** Sends a request; resolves when the next one can be sent, rejects with AppError if the call has ended. */
  write(request: Req): Promise<void>;
  /** Ends the stream of requests. */
  end(): void;
  /** The responses; leaving the loop ends the call. Iterate them once, and while writing: unread responses block the other side. */
  readonly responses: AsyncIterable<Res>;
}

/** Opens a bidirectional call: `openBidi(records, records.import, { signal })`. It has no deadline unless one is given. */
export function openBidi<Req, Res>(
  client: Client,
  method: BidiMethod<Req, Res>,
  options: Omit<StreamOptions, 'stallMs'> = {},
): BidiCall<Req, Res> {
  const deadline = deadlineOfStream(options);
  const gate = messageGate();
  const call = method.call(client, new Metadata(), { deadline, interceptors: [gate.interceptor] });
  endWithSignal(call, options.signal);
  const begun = connected(client, deadline);
  begun.catch(() => call.cancel());
  // A handler may respond without reading all requests; a writer must not wait for it then.
  const over = new AbortController();
  call.on('error', (error) => over.abort(toAppError(error)));
  call.on('status', () => over.abort(new AppError('unavailable', 'The call has ended.')));
  return {
    async write(request) {
      await begun;
      over.signal.throwIfAborted();
      if (!call.write(request)) {
        await once(call, 'drain', { signal: over.signal }).catch(() => {
          throw toAppError(over.signal.reason);
        });
      }
    },
    end: () => void call.end(),
    responses: messagesOf(call, { gate, signal: options.signal, stallMs: Infinity, firstMs: Infinity }),
  };
}

function deadlineOfStream({ signal, deadlineMs = Infinity }: StreamOptions): number {
  return Math.min(Date.now() + deadlineMs, deadlineOf(signal));
}
