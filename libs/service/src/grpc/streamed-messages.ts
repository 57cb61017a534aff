import type { ClientDuplexStream, ClientReadableStream } from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { callerLeft } from './call-context.js';
import type { MessageGate } from './message-gate.js';
import { toAppError } from './status.js';

type StreamedCall<Res> = ClientReadableStream<Res> | ClientDuplexStream<unknown, Res>;

/** Cancels a call when the signal aborts. */
export function endWithSignal(call: StreamedCall<unknown>, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  call.on('status', () => signal.removeEventListener('abort', cancel));
}

/** The end of the time that a stream may be silent. A process that was suspended until then reads in it what has arrived meanwhile. */
const STALL_GRACE_MS = 1_000;

/** The other side is connected, but has sent nothing for too long. */
export class StallError extends Error {
  override readonly name = 'StallError';
}

interface Reading {
  readonly gate: MessageGate;
  readonly signal: AbortSignal | undefined;
  /** How long to wait for each message, in milliseconds. */
  readonly stallMs: number;
  /** The same for the first message. */
  readonly firstMs: number;
}

/**
 * Yields the messages of a call, and cancels it when the loop is left.
 *
 * @throws AppError whose cause is a StallError if nothing arrives for too long
 */
export async function* messagesOf<Res>(
  call: StreamedCall<Res>,
  { gate, signal, stallMs, firstMs }: Reading,
): AsyncGenerator<Res, void, undefined> {
  // Cancelling raises an error event after the loop was left, where it is not awaited.
  call.on('error', () => undefined);
  const stall = stallTimer(call);
  let waitMs = firstMs;
  const messages = call.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      stall.start(waitMs);
      gate.ask();
      const next = (await messages.next()) as IteratorResult<Res, undefined>;
      stall.stop();
      if (next.done) return;
      yield next.value;
      waitMs = stallMs;
    }
  } catch (caught) {
    if (stall.hasFired()) {
      const cause = new StallError(`No message within ${Math.round(waitMs)} ms.`);
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
function stallTimer(call: StreamedCall<unknown>): { start(ms: number): void; stop(): void; hasFired(): boolean } {
  let timer: NodeJS.Timeout | undefined;
  let hasFired = false;
  const fire = () => {
    hasFired = true;
    call.cancel();
  };
  return {
    start(ms) {
      if (ms === Infinity) return;
      const graceMs = Math.min(STALL_GRACE_MS, ms / 2);
      timer = setTimeout(() => (timer = setTimeout(fire, graceMs)), ms - graceMs);
    },
    stop: () => clearTimeout(timer),
    hasFired: () => hasFired,
  };
}
