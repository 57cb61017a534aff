import type { JetStreamManager } from '@nats-io/jetstream';
import { byPartitioned, MOST_PARTITIONS, streams, streamsOf, type StreamDefinition } from '@stechuhr/contracts';
import { recreateConsumer, type ConsumerLine } from './provision.js';

/** Finds messages that were handled but are still in their work queue, and has them redelivered. */
export interface StuckMessages {
  /**
   * Must be called every few seconds.
   * @returns the consumers that were recreated
   */
  check(manager: JetStreamManager, lines: readonly ConsumerLine[]): Promise<readonly ConsumerLine[]>;
}

/** Pause until the next attempt if the first one did not help, for example because the disk is still full; doubled each time. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

const most = byPartitioned(() => ({ partitions: MOST_PARTITIONS, streams: MOST_PARTITIONS }));
const workQueues = new Set<string>(
  Object.values<StreamDefinition>(streams).flatMap(({ name, retention }) => (retention === 'workqueue' ? streamsOf(name, most) : [])),
);

interface CheckState {
  /** The consumer's position when it had handled everything while the queue still contained messages for it; otherwise undefined. */
  position: number | undefined;
  /** By `performance.now()`. */
  nextAt: number;
  pauseMs: number;
}

/**
 * Handles a state in which messages are stuck in a work queue. If the server cannot write because its disk is full, it counts a message as handled
 * but leaves it in the queue: no consumer gets it any more, and it takes up room. Whether such a message was really handled cannot be found out, so
 * the consumer is recreated and gets all messages again, which changes nothing for those that were handled. Removing them could lose messages,
 * because after a crash the stream may reuse the sequences of handled messages. The consumer is recreated only if nothing is waiting or being
 * handled, and nothing was between two checks.
 */
export function stuckMessages(): StuckMessages {
  const states = new Map<string, CheckState>();
  const stateOf = (line: ConsumerLine): CheckState => {
    const key = `${line.stream} ${line.durable}`;
    const state = states.get(key) ?? { position: undefined, nextAt: 0, pauseMs: FIRST_PAUSE_MS };
    states.set(key, state);
    return state;
  };
  const isStuck = async (manager: JetStreamManager, line: ConsumerLine): Promise<boolean> => {
    const state = stateOf(line);
    const before = state.position;
    state.position = await stuckPosition(manager, line);
    const now = performance.now();
    if (state.position === undefined && now >= state.nextAt) state.pauseMs = FIRST_PAUSE_MS;
    if (state.position === undefined || state.position !== before || now < state.nextAt) return false;
    state.nextAt = now + state.pauseMs;
    state.pauseMs = Math.min(2 * state.pauseMs, LONGEST_PAUSE_MS);
    return true;
  };
  return {
    async check(manager, lines) {
      const recreated: ConsumerLine[] = [];
      for (const line of lines) {
        if (!workQueues.has(line.stream) || !(await isStuck(manager, line))) continue;
        await recreateConsumer(manager, line);
        recreated.push(line);
      }
      return recreated;
    },
  };
}

/**
 * The position of a consumer that has handled everything while its queue still contains messages for it, and that got nothing in between; otherwise
 * undefined.
 */
async function stuckPosition(manager: JetStreamManager, line: ConsumerLine): Promise<number | undefined> {
  const position = await idlePosition(manager, line);
  if (position === undefined) return undefined;
  const { state } = await manager.streams.info(line.stream, { subjects_filter: line.filterSubject });
  const isThere = Object.values(state.subjects ?? {}).some((count) => count > 0);
  return isThere && (await idlePosition(manager, line)) === position ? position : undefined;
}

async function idlePosition(manager: JetStreamManager, { stream, durable }: ConsumerLine): Promise<number | undefined> {
  const { num_pending: waiting, num_ack_pending: atWork, delivered } = await manager.consumers.info(stream, durable);
  return waiting + atWork === 0 ? delivered.consumer_seq : undefined;
}
