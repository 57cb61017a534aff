import { setTimeout as delay } from 'node:timers/promises';
import type { Consumer, ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import { metrics, type BatchObservableResult } from '@opentelemetry/api';
import { lag, place } from './metrics.js';

/** An unavailable server does not answer for seconds, which must not delay the other metrics. */
const LIMIT_MS = 1_000;

interface Observed {
  readonly stream: string;
  readonly consumer: Consumer;
}

const meter = metrics.getMeter('@stechuhr/bus');
const gauges = [lag, place];

/** The consumers of this process, by the name of the durable. */
const observed = new Map<string, Set<Observed>>();

/**
 * Reports the backlog of a consumer over all partitions, whenever metrics are read.
 * @returns stops it
 */
export function observeLag(durable: string, stream: string, consumer: Consumer): () => void {
  const one = { stream, consumer };
  const ofDurable = observed.get(durable) ?? new Set();
  if (observed.size === 0) meter.addBatchObservableCallback(observe, gauges);
  observed.set(durable, ofDurable.add(one));
  return () => {
    ofDurable.delete(one);
    if (ofDurable.size === 0) observed.delete(durable);
    if (observed.size === 0) meter.removeBatchObservableCallback(observe, gauges);
  };
}

/**
 * Reports the backlog of consumers of other processes, by the names of their durables and the streams in which they exist.
 * @param manager undefined while there is no connection
 */
export function observeLagOfOthers(
  manager: () => JetStreamManager | undefined,
  consumers: ReadonlyMap<string, readonly string[]>,
): () => void {
  const observeOthers = async (result: BatchObservableResult): Promise<void> => {
    const connected = manager();
    if (connected === undefined) return;
    await Promise.all(
      [...consumers].map(([durable, streams]) =>
        report(
          result,
          durable,
          streams.map((stream) => connected.consumers.info(stream, durable)),
        ),
      ),
    );
  };
  meter.addBatchObservableCallback(observeOthers, gauges);
  return () => meter.removeBatchObservableCallback(observeOthers, gauges);
}

async function observe(result: BatchObservableResult): Promise<void> {
  await Promise.all(
    [...observed].map(([durable, ofDurable]) => {
      const consumers = new Map([...ofDurable].map(({ stream, consumer }) => [stream, consumer]));
      return report(
        result,
        durable,
        [...consumers.values()].map((consumer) => consumer.info()),
      );
    }),
  );
}

async function report(result: BatchObservableResult, durable: string, asked: readonly Promise<ConsumerInfo>[]): Promise<void> {
  try {
    const known = await Promise.race([Promise.all(asked), delay(LIMIT_MS, undefined, { ref: false })]);
    if (known === undefined) return;
    const sumOf = (one: (info: ConsumerInfo) => number): number => known.reduce((sum, info) => sum + one(info), 0);
    result.observe(
      lag,
      sumOf(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending),
      { durable },
    );
    result.observe(
      place,
      sumOf(({ ack_floor }) => ack_floor.stream_seq),
      { durable },
    );
  } catch {
    // Without the server it is unknown; an old number, or that of some partitions only, would be misleading.
  }
}
