import type { Metadata, ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { grantIn } from './grants/grant.js';

/** What a handler knows about the call besides the request. */
export interface CallContext {
  /**
   * Aborts when the client disconnects or the deadline passes. Pass it on to every nested call, which then gets the deadline and grant of this call.
   */
  readonly signal: AbortSignal;
  /** The deadline of the client: a date, milliseconds since the epoch, or Infinity. */
  readonly deadline: Date | number;
  /** The caller, by the common name of its certificate; undefined without certificates. */
  readonly peer: string | undefined;
  /** Resolves when the client has read the whole response, or has disconnected. */
  readonly over: Promise<void>;
}

const deadlines = new WeakMap<AbortSignal, number>();
const grants = new WeakMap<AbortSignal, Buffer>();

/** The deadline of the call that the signal belongs to, in milliseconds since the epoch; Infinity for other signals. */
export function deadlineOf(signal: AbortSignal | undefined): number {
  return (signal && deadlines.get(signal)) ?? Infinity;
}

/** Timers differ by some milliseconds, between processes and within one. */
const DEADLINE_MARGIN_MS = 50;

/**
 * Whether the client of the signal's call no longer waits: it has disconnected, or its deadline has passed. Nested calls have the same deadline and
 * may fail slightly before the signal aborts; such a failure says nothing about the called service.
 */
export function hasLeft(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || Date.now() + DEADLINE_MARGIN_MS >= deadlineOf(signal);
}

/** The grant of the call that the signal belongs to; undefined if there was none, or for other signals. */
export function grantOf(signal: AbortSignal | undefined): Buffer | undefined {
  return signal && grants.get(signal);
}

/** The common name of the client's certificate; undefined without one, and if the connection has ended meanwhile. */
export function peerOf(call: { getAuthContext(): AuthContext }): string | undefined {
  try {
    const name = call.getAuthContext().sslPeerCertificate?.subject.CN;
    return typeof name === 'string' ? name : undefined;
  } catch {
    // grpc-js reads the certificate from the socket, which has none after it was closed; nobody waits for the response then.
    return undefined;
  }
}

type AuthContext = ReturnType<ServerInterceptingCallInterface['getAuthContext']>;

interface CancellableCall {
  readonly cancelled: boolean;
  readonly metadata: Metadata;
  getDeadline(): Date | number;
  getAuthContext(): AuthContext;
  once(event: 'cancelled', listener: () => void): unknown;
}

/**
 * Creates the context of a served call. grpc-js reports the regular end of a call as a cancellation too, so the server marks calls that it has
 * answered.
 */
export function openContext(call: CancellableCall): CallContext & { answered(): void } {
  const controller = new AbortController();
  const deadline = call.getDeadline();
  deadlines.set(controller.signal, Number(deadline));
  const grant = grantIn(call.metadata);
  if (grant !== undefined) grants.set(controller.signal, grant);
  let open = true;
  const over = Promise.withResolvers<void>();
  const leave = () => {
    over.resolve();
    if (open) controller.abort(new AppError('unavailable', 'The caller disconnected.'));
  };
  if (call.cancelled) leave();
  else call.once('cancelled', leave);
  return { signal: controller.signal, deadline, peer: peerOf(call), over: over.promise, answered: () => void (open = false) };
}
