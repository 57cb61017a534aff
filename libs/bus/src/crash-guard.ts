import { setTimeout as delay } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import { shownSubject } from '@stechuhr/contracts';
import { AppError, type Logger } from '@stechuhr/kernel';
import type { AloneGate } from './alone-gate.js';
import type { RedeliveryNotes } from './redelivery-notes.js';

/** How often a process may end while it handles a message and no other, until the message becomes a dead letter. */
const MAX_CRASHES_ALONE = 3;
const RETRY_MS = 1_000;

/** Finds messages that end the process that handles them, for example because it runs out of memory. */
export interface CrashGuard {
  /**
   * Handles a message.
   * @param isExplained whether this process knows why the message was delivered before
   * @throws AppError what `handle` throws; `invalid` if the message has ended its process too often
   */
  run(message: JsMsg, isExplained: () => boolean, handle: () => Promise<void>): Promise<void>;
  /** Removes what is noted about a message that became a dead letter. */
  forget(message: JsMsg): Promise<void>;
  /** Must be called when the process stops: from now on, its end is not the fault of a message. */
  stop(): Promise<void>;
}

/** For processes without a store. */
export const noCrashGuard: CrashGuard = {
  run: (_message, _isExplained, handle) => handle(),
  forget: async () => undefined,
  stop: async () => undefined,
};

export interface CrashGuardOptions {
  /** Shared by all consumers of the process. */
  readonly gate: AloneGate;
  readonly notes: RedeliveryNotes;
  readonly durable: string;
  readonly logger: Logger;
}

/**
 * The first delivery of a message costs nothing. If it was delivered before and this process does not know why, its handling is noted, and the note is
 * removed when it ends in any way. A note that was not removed is the trace of a process that ended meanwhile. Then the message is handled alone, so
 * that it interrupts no others, and no other message is blamed for what it does.
 */
export function createCrashGuard({ gate, notes, durable, logger }: CrashGuardOptions): CrashGuard {
  /** Those that this process has to remove. */
  const noted = new Set<string>();
  /** Those that are to become dead letters: until then they are not handled again, even if a letter cannot be sent at first. */
  const refused = new Set<string>();
  const stopping = new AbortController();
  const keyOf = ({ seq, info }: JsMsg): string => [info.stream, durable, String(seq), String(info.timestampNanos)].join('/');
  const remove = async (keys: readonly string[]): Promise<void> => {
    await notes.remove(keys);
    for (const key of keys) noted.delete(key);
  };
  // Until it succeeds: the message is returned to the server only then, because an outage must not look like the end of a process.
  const removeForSure = async (key: string): Promise<void> => {
    while (noted.has(key)) {
      const isRemoved = await remove([key]).then(
        () => true,
        () => false,
      );
      if (isRemoved || stopping.signal.aborted) return;
      await delay(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const runNoted = async (message: JsMsg, handle: () => Promise<void>): Promise<void> => {
    const key = keyOf(message);
    const { all, alone } = await notes.begin(key);
    if (alone >= MAX_CRASHES_ALONE) {
      refused.add(key);
      throw new AppError('invalid', 'The process that handled the message ended each time.');
    }
    noted.add(key);
    try {
      // The note was written while the process was told to stop, so `stop` has not seen it.
      if (stopping.signal.aborted) await remove([key]).catch(() => undefined);
      if (all === 0) return await gate.together(handle);
      const { seq: sequence } = message;
      const subject = shownSubject(message.subject);
      logger.warn({ durable, subject, sequence, crashes: all }, 'a message that may end its process is handled alone');
      await gate.alone(async () => {
        await notes.beginAlone(key);
        await handle();
      });
    } finally {
      await removeForSure(key);
    }
  };
  return {
    run(message, isExplained, handle) {
      const isFirst = message.info.deliveryCount === 1;
      const needsNote = !isFirst && !stopping.signal.aborted && (refused.has(keyOf(message)) || !isExplained());
      return needsNote ? runNoted(message, handle) : gate.together(handle);
    },
    async forget(message) {
      if (refused.delete(keyOf(message))) await notes.remove([keyOf(message)]).catch(() => undefined);
    },
    async stop() {
      stopping.abort();
      if (noted.size > 0) await remove([...noted]).catch(() => undefined);
    },
  };
}
