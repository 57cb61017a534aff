import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { partitionedStreams, subscriberDurable, subscriberFilters, type Subscriber } from '@stechuhr/contracts';
import type { Logger } from '@stechuhr/kernel';
import { readLayout } from './layout.js';
import { ensureConsumer, isAhead, type SubscriberLine } from './provision.js';

/** Keeps the consumers for services of other teams as the settings define them, in every stream of events. */
export interface SubscriberConsumers {
  /** Must be called every few seconds. Errors are logged and retried, because nothing in the platform depends on these consumers. */
  check(manager: JetStreamManager): Promise<void>;
  /** The streams that contain each consumer, by the name of the durable; without those for which something failed. */
  readonly kept: ReadonlyMap<string, readonly string[]>;
}

/** Pause after a refusal, since the server logs each refusal. */
const PAUSE_MS = 60_000;

/** The consumers of these subscribers. */
export function subscriberConsumers(subscribers: readonly Subscriber[] = [], logger: Logger): SubscriberConsumers {
  const upToDate = new Set<string>();
  const kept = new Map<string, readonly string[]>();
  let nextAt = 0;
  const keep = async (manager: JetStreamManager, line: SubscriberLine): Promise<void> => {
    const key = `${line.stream} ${line.durable}`;
    if (upToDate.has(key) && !(await needsUpdate(manager, line))) return;
    if (await ensureConsumer(manager, line))
      logger.error(placeOf(line), 'the consumer of a subscriber was ahead of its stream and begins again');
    upToDate.add(key);
  };
  const isKept = async (manager: JetStreamManager, line: SubscriberLine): Promise<boolean> => {
    try {
      await keep(manager, line);
      return true;
    } catch (caught) {
      logger.error({ ...placeOf(line), err: caught }, 'the consumer of a subscriber could not be created or looked at');
      nextAt = performance.now() + PAUSE_MS;
      return false;
    }
  };
  return {
    kept,
    async check(manager) {
      if (subscribers.length === 0 || performance.now() < nextAt) return;
      const { events } = partitionedStreams;
      const streams = events.streams(await readLayout(manager, events));
      for (const subscriber of subscribers) {
        let areAll = true;
        for (const line of linesOf(subscriber, streams)) areAll = (await isKept(manager, line)) && areAll;
        if (areAll) kept.set(subscriberDurable(subscriber), streams);
        else kept.delete(subscriberDurable(subscriber));
      }
    },
  };
}

function linesOf(subscriber: Subscriber, streams: readonly string[]): SubscriberLine[] {
  const [durable, filterSubjects] = [subscriberDurable(subscriber), subscriberFilters(subscriber)];
  return streams.map((stream) => ({ stream, durable, filterSubjects }));
}

const placeOf = ({ stream, durable }: SubscriberLine) => ({ stream, durable });

/** Whether it is missing, or ahead of its stream. */
async function needsUpdate(manager: JetStreamManager, line: SubscriberLine): Promise<boolean> {
  return isAhead(manager, line).catch((caught: unknown) => {
    if (caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.ConsumerNotFound) return true;
    throw caught;
  });
}
