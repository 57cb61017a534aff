import { AppError } from '@stechuhr/kernel';

/** What a handler knows of the call besides the request. */
export interface CallContext {
  /** Aborts when the client disconnects or the deadline passes; pass it on to every nested call. */
  readonly signal: AbortSignal;
  /** When the client stops waiting: a date, milliseconds since the epoch, or Infinity. */
  readonly deadline: Date | number;
}

const deadlines = new WeakMap<AbortSignal, number>();

/** The deadline of the call that the signal belongs to, in milliseconds since the epoch; Infinity when it is no call's signal. */
export function deadlineOf(signal: AbortSignal | undefined): number {
  return (signal && deadlines.get(signal)) ?? Infinity;
}

interface CancellableCall {
  readonly cancelled: boolean;
  getDeadline(): Date | number;
  once(event: 'cancelled', listener: () => void): unknown;
}

/**
 * The context of a served call. grpc-js reports the regular end of a call as a cancellation too, so the server marks when it has answered.
 */
export function openContext(call: CancellableCall): CallContext & { answered(): void } {
  const controller = new AbortController();
  const deadline = call.getDeadline();
  deadlines.set(controller.signal, Number(deadline));
  let open = true;
  const leave = () => {
    if (open) controller.abort(new AppError('unavailable', 'The caller disconnected.'));
  };
  if (call.cancelled) leave();
  else call.once('cancelled', leave);
  return { signal: controller.signal, deadline, answered: () => void (open = false) };
}
