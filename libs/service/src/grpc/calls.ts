import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Metadata,
  type CallOptions,
  type Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientUnaryCall,
  type ServiceError,
} from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { deadlineOf } from './call-context.js';
import { connected } from './connected.js';
import { grantedMetadata } from './grants/granted-metadata.js';
import { messageGate, type MessageGate } from './message-gate.js';
import { pauseBeforeRepeat } from './repeats.js';
import { fromServiceError, isServiceError } from './status.js';

const DEFAULT_DEADLINE_MS = 10_000;
const DEFAULT_STALL_MS = 15_000;
/** `stallMs` for responses that have to be computed before their first message. */
export const RUN_STALL_MS = 120_000;

type UnaryMethod<Req, Res> = (
  request: Req,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Res) => void,
) => ClientUnaryCall;
type StreamMethod<Req, Res> = (request: Req, metadata?: Metadata, options?: Partial<CallOptions>) => ClientReadableStream<Res>;
type BidiMethod<Req, Res> = (metadata: Metadata, options?: Partial<CallOptions>) => ClientDuplexStream<Req, Res>;

/** Options for reading a stream. */
export interface StreamOptions {
  /** Ends the call. The signal of a served call also passes on that call's deadline and grant. */
  readonly signal?: AbortSignal;
  /** Deadline of the call, in milliseconds from now. Without it, only the signal and a stall end a stream. */
  readonly deadlineMs?: number;
  /** How long the reader waits for each message, in milliseconds; 15,000 by default. */
  readonly stallMs?: number;
}

/** Options of a unary call. */
export interface UnaryOptions {
  /** Ends the call. The signal of a served call also passes on that call's deadline and grant. */
  readonly signal?: AbortSignal;
  /** Time for the call including retries, in milliseconds; 10,000 by default. */
  readonly deadlineMs?: number;
  /** Whether the call may be retried if the service quickly reports that it is unavailable. */
  readonly idempotent?: boolean;
}

/**
 * Calls a unary method: `callUnary(records, records.getAccount, request)`.
 *
 * @throws AppError the error that the service threw; `unavailable` if it cannot be reached or is too slow, or if the signal aborted
 */
export async function callUnary<Req, Res>(
  client: Client,
  method: UnaryMethod<Req, Res>,
  request: Req,
  options: UnaryOptions = {},
): Promise<Res> {
  const { signal, deadlineMs = DEFAULT_DEADLINE_MS, idempotent = false } = options;
  const deadline = Math.min(Date.now() + deadlineMs, deadlineOf(signal));
  let first: AppError | undefined;
  for (let attempt = 0; ; attempt += 1) {
    // A service that a call has killed cannot be reached for a while; what happened to the call says more than that.
    await connected(client, deadline).catch((caught: unknown) => {
      throw first ?? caught;
    });
    const startedAt = performance.now();
    try {
      return await callOnce({ client, method, request, deadline, signal });
    } catch (caught) {
      const error = AppError.from(caught);
      const pauseMs = idempotent ? pauseBeforeRepeat({ error, first, attempt, startedAt, deadline, signal }) : undefined;
      if (pauseMs === undefined) throw error;
      first ??= error;
      await delay(pauseMs);
    }
  }
}

interface UnaryCall<Req, Res> {
  readonly client: Client;
  readonly method: UnaryMethod<Req, Res>;
  readonly request: Req;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

function callOnce<Req, Res>({ client, method, request, deadline, signal }: UnaryCall<Req, Res>): Promise<Res> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(callerLeft(signal));
      return;
    }
    const metadata = grantedMetadata(client, { request, signal, lasts: 'call' });
    const call = method.call(client, request, metadata, { deadline }, (error, response) => {
      signal?.removeEventListener('abort', cancel);
      if (error) reject(fromServiceError(error));
      else resolve(response);
    });
    const cancel = () => call.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  });
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
  for (let attempt = 0; ; attempt += 1) {
    // A service that a call has killed cannot be reached for a while; what happened to the call says more than that.
    await connected(client, deadline).catch((caught: unknown) => {
      throw first ?? caught;
    });
    const gate = messageGate();
    const metadata = grantedMetadata(client, { request, signal, lasts: 'stream' });
    const call = method.call(client, request, metadata, { deadline, interceptors: [gate.interceptor] });
    const startedAt = performance.now();
    endWithSignal(call, signal);
    let hasBegun = false;
    try {
      for await (const message of messagesOf(call, { gate, signal, stallMs })) {
        hasBegun = true;
        yield message;
      }
      return;
    } catch (caught) {
      const error = AppError.from(caught);
      const isFinal = hasBegun || error.cause instanceof StallError;
      const pauseMs = isFinal ? undefined : pauseBeforeRepeat({ error, first, attempt, startedAt, deadline, signal });
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
    responses: messagesOf(call, { gate, signal: options.signal, stallMs: Infinity }),
  };
}

function deadlineOfStream({ signal, deadlineMs = Infinity }: StreamOptions): number {
  return Math.min(Date.now() + deadlineMs, deadlineOf(signal));
}

type StreamedCall<Res> = ClientReadableStream<Res> | ClientDuplexStream<unknown, Res>;

function endWithSignal(call: StreamedCall<unknown>, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  call.on('status', () => signal.removeEventListener('abort', cancel));
}

/** The end of the time that a stream may be silent. A process that was suspended until then reads in it what has arrived meanwhile. */
const STALL_GRACE_MS = 1_000;

/** The other side is connected, but has sent nothing for too long. */
class StallError extends Error {
  override readonly name = 'StallError';
}

interface Reading {
  readonly gate: MessageGate;
  readonly signal: AbortSignal | undefined;
  readonly stallMs: number;
}

async function* messagesOf<Res>(call: StreamedCall<Res>, { gate, signal, stallMs }: Reading): AsyncGenerator<Res, void, undefined> {
  // Cancelling raises an error event after the loop was left, where it is not awaited.
  call.on('error', () => undefined);
  const stall = stallTimer(call, stallMs);
  const messages = call.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      stall.start();
      gate.ask();
      const next = (await messages.next()) as IteratorResult<Res, undefined>;
      stall.stop();
      if (next.done) return;
      yield next.value;
    }
  } catch (caught) {
    if (stall.hasFired()) {
      const cause = new StallError(`No message within ${stallMs} ms.`);
      throw new AppError('unavailable', 'A service is not available.', { cause });
    }
    throw signal?.aborted ? callerLeft(signal) : toAppError(caught);
  } finally {
    stall.stop();
    call.cancel();
  }
}

/**
 * Creates a timer that cancels a call that sends nothing for too long. It runs only while the reader waits for a message, so the reader's
 * own processing time does not count.
 */
function stallTimer(call: StreamedCall<unknown>, stallMs: number): { start(): void; stop(): void; hasFired(): boolean } {
  let timer: NodeJS.Timeout | undefined;
  let hasFired = false;
  const fire = () => {
    hasFired = true;
    call.cancel();
  };
  const graceMs = Math.min(STALL_GRACE_MS, stallMs / 2);
  const fireSoon = () => void (timer = setTimeout(fire, graceMs));
  return {
    start: () => void (stallMs !== Infinity && (timer = setTimeout(fireSoon, stallMs - graceMs))),
    stop: () => clearTimeout(timer),
    hasFired: () => hasFired,
  };
}

function toAppError(caught: unknown): AppError {
  return isServiceError(caught) ? fromServiceError(caught) : AppError.from(caught);
}

function callerLeft(signal: AbortSignal): AppError {
  return new AppError('unavailable', 'The caller disconnected.', { cause: signal.reason });
}
