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
import { fromServiceError, isServiceError } from './status.js';

const DEFAULT_DEADLINE_MS = 10_000;
const RETRY_DELAYS_MS = [50, 200];

type UnaryMethod<Req, Res> = (
  request: Req,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Res) => void,
) => ClientUnaryCall;
type StreamMethod<Req, Res> = (request: Req, metadata?: Metadata, options?: Partial<CallOptions>) => ClientReadableStream<Res>;
type BidiMethod<Req, Res> = (metadata: Metadata, options?: Partial<CallOptions>) => ClientDuplexStream<Req, Res>;

/** How a stream is read. */
export interface StreamOptions {
  /** Ends the call; the signal of a served call also passes that call's deadline on. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the call must have ended; without it only the signal ends a stream. */
  readonly deadlineMs?: number;
}

/** How a unary call is made. */
export interface UnaryOptions {
  /** Ends the call; the signal of a served call also passes that call's deadline on. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the call with all its repeats, 10,000 by default. */
  readonly deadlineMs?: number;
  /** Whether the call may be repeated when the service is unavailable. */
  readonly idempotent?: boolean;
}

/**
 * Calls a unary method: `callUnary(records, records.getAccount, request)`.
 *
 * @throws AppError what the other side threw; `unavailable` when it cannot be reached, is too slow, or the signal aborted
 */
export async function callUnary<Req, Res>(
  client: Client,
  method: UnaryMethod<Req, Res>,
  request: Req,
  options: UnaryOptions = {},
): Promise<Res> {
  const { signal, deadlineMs = DEFAULT_DEADLINE_MS, idempotent = false } = options;
  const deadline = Math.min(Date.now() + deadlineMs, deadlineOf(signal));
  for (const pause of idempotent ? RETRY_DELAYS_MS : []) {
    try {
      return await callOnce({ client, method, request, deadline, signal });
    } catch (caught) {
      const error = AppError.from(caught);
      if (error.code !== 'unavailable' || signal?.aborted || Date.now() + pause >= deadline) throw error;
      await delay(pause * (0.5 + Math.random()));
    }
  }
  return callOnce({ client, method, request, deadline, signal });
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
    const call = method.call(client, request, new Metadata(), { deadline }, (error, response) => {
      signal?.removeEventListener('abort', cancel);
      if (error) reject(fromServiceError(error));
      else resolve(response);
    });
    const cancel = () => call.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

/**
 * Reads a server stream: `for await (const message of readStream(records, records.listEmployees, request, { signal }))`. The other side
 * sends only as fast as the loop reads; leaving the loop ends the call. The call is made when the first message is requested. Reading changes
 * nothing: a service that is unavailable before its first message is asked again, as for an idempotent unary call.
 *
 * @throws AppError from the loop
 */
export async function* readStream<Req, Res>(
  client: Client,
  method: StreamMethod<Req, Res>,
  request: Req,
  options: StreamOptions = {},
): AsyncGenerator<Res, void, undefined> {
  const { signal } = options;
  const settings = callOptions(options);
  for (const pause of [...RETRY_DELAYS_MS, undefined]) {
    const call = method.call(client, request, new Metadata(), settings);
    endWithSignal(call, signal);
    let begun = false;
    try {
      for await (const message of messagesOf(call, signal)) {
        begun = true;
        yield message;
      }
      return;
    } catch (caught) {
      const error = AppError.from(caught);
      const isOver = pause === undefined || Date.now() + pause >= Number(settings.deadline);
      if (begun || isOver || error.code !== 'unavailable' || signal?.aborted) throw error;
      await delay(pause * (0.5 + Math.random()));
    }
  }
}

/** Both directions of a bidirectional call. */
export interface BidiCall<Req, Res> {
  /** Sends a request; resolves when there is room for the next one, rejects with AppError when the call has ended. */
  write(request: Req): Promise<void>;
  /** Ends the requests. */
  end(): void;
  /** The answers; leaving the loop ends the call. To be read once, and while writing: unread answers hold back the other side. */
  readonly responses: AsyncIterable<Res>;
}

/** Opens a bidirectional call: `openBidi(records, records.import, { signal })`. It has no deadline unless one is given. */
export function openBidi<Req, Res>(client: Client, method: BidiMethod<Req, Res>, options: StreamOptions = {}): BidiCall<Req, Res> {
  const call = method.call(client, new Metadata(), callOptions(options));
  endWithSignal(call, options.signal);
  // A handler may answer without reading to the end; a writer must not wait for room that never comes.
  const over = new AbortController();
  call.on('error', (error) => over.abort(toAppError(error)));
  call.on('status', () => over.abort(new AppError('unavailable', 'The call has ended.')));
  return {
    async write(request) {
      over.signal.throwIfAborted();
      if (!call.write(request)) {
        await once(call, 'drain', { signal: over.signal }).catch(() => {
          throw toAppError(over.signal.reason);
        });
      }
    },
    end: () => void call.end(),
    responses: messagesOf(call, options.signal),
  };
}

function callOptions({ signal, deadlineMs = Infinity }: StreamOptions): Partial<CallOptions> {
  return { deadline: Math.min(Date.now() + deadlineMs, deadlineOf(signal)) };
}

type StreamedCall<Res> = ClientReadableStream<Res> | ClientDuplexStream<unknown, Res>;

function endWithSignal(call: StreamedCall<unknown>, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  call.on('status', () => signal.removeEventListener('abort', cancel));
}

async function* messagesOf<Res>(call: StreamedCall<Res>, signal: AbortSignal | undefined): AsyncGenerator<Res, void, undefined> {
  // Cancelling raises an error event after the loop was left, where it is not awaited.
  call.on('error', () => undefined);
  try {
    yield* call.iterator({ destroyOnReturn: false });
  } catch (caught) {
    throw signal?.aborted ? callerLeft(signal) : toAppError(caught);
  } finally {
    call.cancel();
  }
}

function toAppError(caught: unknown): AppError {
  return isServiceError(caught) ? fromServiceError(caught) : AppError.from(caught);
}

function callerLeft(signal: AbortSignal): AppError {
  return new AppError('unavailable', 'The caller disconnected.', { cause: signal.reason });
}
