import type { JetStreamManager } from '@nats-io/jetstream';
import { streams, type StreamDefinition } from '@stechuhr/contracts';
import { beginAgain, type ConsumerLine } from './provision.js';

/** Looks for messages that were handled and are still in their work queue, and has them delivered again. */
export interface KeptMessages {
  /** To be asked every few seconds. @returns consumers that have begun again */
  look(manager: JetStreamManager, lines: readonly ConsumerLine[]): Promise<readonly ConsumerLine[]>;
}

/** Until the next attempt where the first one did not help, as while the disk is still full; doubled with each. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

const workQueues = new Set<string>(
  Object.values<StreamDefinition>(streams).flatMap(({ name, retention }) => (retention === 'workqueue' ? [name] : [])),
);

interface Sight {
  /** How much the consumer had been given, when it had handled everything and the queue held messages of it; else undefined. */
  place: number | undefined;
  /** By `performance.now()`. */
  nextAt: number;
  pauseMs: number;
}

/**
 * A server that cannot write, because its disk is full, counts a message as handled and leaves it in its queue: nobody gets it any more, and it
 * takes the queue's room. What it was given since can only be told from it by asking again: so the consumer is created anew and has it delivered
 * once more, which changes nothing where it was handled. Removing it would lose it where it was not, for after a crash the stream may have given
 * the numbers of handled messages to others.
 *
 * It is done only where nothing waits or is being handled, and nothing has been for the time between two looks.
 */
export function keptMessages(): KeptMessages {
  const sights = new Map<string, Sight>();
  const sightOf = (line: ConsumerLine): Sight => {
    const key = `${line.stream} ${line.durable}`;
    const sight = sights.get(key) ?? { place: undefined, nextAt: 0, pauseMs: FIRST_PAUSE_MS };
    sights.set(key, sight);
    return sight;
  };
  const isKept = async (manager: JetStreamManager, line: ConsumerLine): Promise<boolean> => {
    const sight = sightOf(line);
    const before = sight.place;
    sight.place = await placeOfKept(manager, line);
    const now = performance.now();
    if (sight.place === undefined && now >= sight.nextAt) sight.pauseMs = FIRST_PAUSE_MS;
    if (sight.place === undefined || sight.place !== before || now < sight.nextAt) return false;
    sight.nextAt = now + sight.pauseMs;
    sight.pauseMs = Math.min(2 * sight.pauseMs, LONGEST_PAUSE_MS);
    return true;
  };
  return {
    async look(manager, lines) {
      const begun: ConsumerLine[] = [];
      for (const line of lines) {
        if (!workQueues.has(line.stream) || !(await isKept(manager, line))) continue;
        await beginAgain(manager, line);
        begun.push(line);
      }
      return begun;
    },
  };
}

/** The place of a consumer that has handled everything while its queue holds messages of it, and was given nothing meanwhile. */
async function placeOfKept(manager: JetStreamManager, line: ConsumerLine): Promise<number | undefined> {
  const place = await placeOfIdle(manager, line);
  if (place === undefined) return undefined;
  const { state } = await manager.streams.info(line.stream, { subjects_filter: line.filterSubject });
  const isThere = Object.values(state.subjects ?? {}).some((count) => count > 0);
  return isThere && (await placeOfIdle(manager, line)) === place ? place : undefined;
}

async function placeOfIdle(manager: JetStreamManager, { stream, durable }: ConsumerLine): Promise<number | undefined> {
  const { num_pending: waiting, num_ack_pending: atWork, delivered } = await manager.consumers.info(stream, durable);
  return waiting + atWork === 0 ? delivered.consumer_seq : undefined;
}
