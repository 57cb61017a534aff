import type { PartitionedStream } from '@stechuhr/contracts';
import { placesFor, startConsumption, type Consumption, type ConsumptionOptions } from './consume.js';
import type { KnownLayout } from './layout.js';

/**
 * Starts a consumption of a durable consumer in every partition of its stream, with handlers shared by all of them. The first one is consumed
 * at once, the others as soon as they are known.
 */
export function startPartitionedConsumption(
  options: ConsumptionOptions,
  partitioned: PartitionedStream,
  layout: Pick<KnownLayout, 'follow'>,
): Consumption {
  const running: Consumption[] = [];
  const ending = new Set<Promise<void>>();
  const places = placesFor(options);
  const consume = (count: number): void => {
    while (running.length < count) running.push(startConsumption({ ...options, stream: partitioned.stream(running.length) }, places));
    for (const { stop } of running.splice(count)) {
      const ended = stop().finally(() => ending.delete(ended));
      ending.add(ended);
    }
  };
  consume(1);
  const unfollow = layout.follow(({ streams }) => consume(streams));
  return {
    async stop() {
      unfollow();
      await Promise.all([...running.map(({ stop }) => stop()), ...ending]);
    },
  };
}
