import type { Metadata, ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { grantIn } from './grants/grant.js';

/** What a handler knows of the call besides the request. */
export interface CallContext {
  /** Aborts when the client disconnects or the deadline passes; pass it on to every nested call, which has the deadline and grant of this one. */
  readonly signal: AbortSignal;
  /** When the client stops waiting: a date, milliseconds since the epoch, or Infinity. */
  readonly deadline: Date | number;
  /** Who calls, by the common name of its certificate; undefined where calls come without certificates. */
  readonly peer: string | undefined;
  /** Resolves when nothing of the answer is left here: all of it was taken, or the client has disconnected. */
  readonly over: Promise<void>;
}

const deadlines = new WeakMap<AbortSignal, number>();
const grants = new WeakMap<AbortSignal, Buffer>();

/** The deadline of the call that the signal belongs to, in milliseconds since the epoch; Infinity when it is no call's signal. */
export function deadlineOf(signal: AbortSignal | undefined): number {
  return (signal && deadlines.get(signal)) ?? Infinity;
}

/** Timers of two processes, and of one, do not agree about a deadline to the millisecond. */
const DEADLINE_MARGIN_MS = 50;

/**
 * Whether the client of the call that the signal belongs to waits no longer: it has left, or its deadline is here. Nested calls have the same
 * deadline, and may fail by it before the signal has aborted: that says nothing about the service that they called.
 */
export function hasLeft(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || Date.now() + DEADLINE_MARGIN_MS >= deadlineOf(signal);
}

/** The grant that came with the call that the signal belongs to; undefined when there was none, or it is no call's signal. */
export function grantOf(signal: AbortSignal | undefined): Buffer | undefined {
  return signal && grants.get(signal);
}

/** The common name of the certificate that a call came with; undefined without one, and where the connection has ended meanwhile. */
export function peerOf(call: { getAuthContext(): AuthContext }): string | undefined {
  try {
    const name = call.getAuthContext().sslPeerCertificate?.subject.CN;
    return typeof name === 'string' ? name : undefined;
  } catch {
    // grpc-js asks the socket, which knows no certificate any more when it has been closed; nobody waits for the answer then.
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
 * The context of a served call. grpc-js reports the regular end of a call as a cancellation too, so the server marks when it has answered.
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
