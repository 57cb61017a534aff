import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions, Client, ClientUnaryCall, Metadata, ServiceError } from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { callerLeft, deadlineOf } from './call-context.js';
import { connected } from './connected.js';
import { grantedMetadata } from './grants/granted-metadata.js';
import { pauseBeforeRepeat } from './repeats.js';
import { fromServiceError } from './status.js';

const DEFAULT_DEADLINE_MS = 10_000;

type UnaryMethod<Req, Res> = (
  request: Req,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Res) => void,
) => ClientUnaryCall;

/** Options of a unary call. */
export interface UnaryOptions {
  /** Ends the call. The signal of a served call also passes on that call's deadline and grant. */
  readonly signal?: AbortSignal;
  /** Time for the call including retries, in milliseconds; 10,000 by default. */
  readonly deadlineMs?: number;
  /** Whether the call may be retried if the service quickly reports that it is unavailable. One that was not executed is retried anyway. */
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
      const pauseMs = pauseBeforeRepeat({ error, idempotent, first, attempt, startedAt, deadline, signal });
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
