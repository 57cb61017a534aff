import type { Metadata, ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { holdSlot } from './call-slots.js';
import { grantIn } from './grants/grant.js';

/** Information about a call, in addition to its request. */
export interface CallContext {
  /**
   * Aborts when the client disconnects or the deadline passes. Pass it on to every nested call, which then inherits the deadline and grant
   * of this call.
   */
  readonly signal: AbortSignal;
  /** The deadline of the client: a date, milliseconds since the epoch, or Infinity. */
  readonly deadline: Date | number;
  /** The common name of the caller's certificate; undefined if calls are made without certificates. */
  readonly peer: string | undefined;
  /** Resolves when the whole response has been received, the client has disconnected, or the call was ended. */
  readonly over: Promise<void>;
  /** Ends the call with an error, also while the client does not read: the signal aborts with it. */
  readonly end: (error: AppError) => void;
}

const deadlines = new WeakMap<AbortSignal, number>();
const grants = new WeakMap<AbortSignal, Buffer>();

/** Returns the deadline of the call that the signal belongs to, in milliseconds since the epoch; Infinity if it belongs to no call. */
export function deadlineOf(signal: AbortSignal | undefined): number {
  return (signal && deadlines.get(signal)) ?? Infinity;
}

/** Timers, even within one process, do not agree on a deadline to the millisecond. */
const DEADLINE_MARGIN_MS = 50;

/**
 * Whether the client of the call that the signal belongs to has stopped waiting: it has disconnected, or its deadline has been reached.
 * Nested calls have the same deadline, and may fail because of it before the signal aborts; such a failure says nothing about the called
 * service.
 */
export function hasLeft(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || Date.now() + DEADLINE_MARGIN_MS >= deadlineOf(signal);
}

/** Returns the error for a call that its caller does not wait for any more. */
export function callerLeft(signal: AbortSignal): AppError {
  return new AppError('unavailable', 'The caller disconnected.', { cause: signal.reason });
}

/** Returns the grant of the call that the signal belongs to; undefined if it had none, or if the signal belongs to no call. */
export function grantOf(signal: AbortSignal | undefined): Buffer | undefined {
  return signal && grants.get(signal);
}

/** Returns the common name of the certificate of a call; undefined if it had none, or if the connection has been closed meanwhile. */
export function peerOf(call: { getAuthContext(): AuthContext }): string | undefined {
  try {
    const name = call.getAuthContext().sslPeerCertificate?.subject.CN;
    return typeof name === 'string' ? name : undefined;
  } catch {
    // grpc-js reads the certificate from the socket, which fails after it has been closed; then nobody waits for the response.
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

/** The context as the server sees it. */
export interface OpenContext extends CallContext {
  /** The response has been sent, and the handler has ended. */
  answered(): void;
  /** Whether the client has disconnected, so that it gets no error. */
  hasLeft(): boolean;
}

/**
 * Creates the context of a served call. grpc-js reports the regular end of a call as a cancellation, too, so the server calls `answered`
 * when it has responded.
 */
export function openContext(call: CancellableCall): OpenContext {
  const controller = new AbortController();
  const deadline = call.getDeadline();
  deadlines.set(controller.signal, Number(deadline));
  const grant = grantIn(call.metadata);
  if (grant !== undefined) grants.set(controller.signal, grant);
  const letGo = holdSlot(call.metadata);
  let open = true;
  let left = false;
  const over = Promise.withResolvers<void>();
  const leave = () => {
    over.resolve();
    left = open;
    if (open) controller.abort(new AppError('unavailable', 'The caller disconnected.'));
  };
  const end = (error: AppError) => {
    // Also if the handler has ended: what it sent may still wait for the client.
    over.resolve();
    if (open) controller.abort(error);
  };
  if (call.cancelled) leave();
  else call.once('cancelled', leave);
  const context = { signal: controller.signal, deadline, peer: peerOf(call), over: over.promise, end };
  const answered = () => {
    open = false;
    letGo();
  };
  return { ...context, answered, hasLeft: () => left };
}
