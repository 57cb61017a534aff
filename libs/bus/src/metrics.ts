import { metrics, type BatchObservableResult } from '@opentelemetry/api';
import { streams } from '@stechuhr/contracts';
import { boundedRead } from '@stechuhr/kernel';

const meter = metrics.getMeter('@stechuhr/bus');

const published = meter.createCounter('stechuhr.bus.published', { description: 'Messages passed to the bus for publication.' });

type Result = 'ok' | 'failed';

const kindOf = (subject: string): string => subject.split('.')[1] ?? subject;

/**
 * All counters exist from the start at 0: `rate` does not see the first increase of a counter that begins at 1. Live objects are left out, because other
 * systems publish them.
 */
const results: Readonly<Record<Result, 0>> = { ok: 0, failed: 0 };
for (const { subjects } of Object.values(streams).filter((stream) => stream !== streams.ingest))
  for (const subject of subjects)
    for (const [result, none] of Object.entries(results)) published.add(none, { kind: kindOf(subject), result });

/** Counts a message that was handed to the bus, by kind (second part of the subject) and result. */
export function countPublished(subject: string, result: Result): void {
  published.add(1, { kind: kindOf(subject), result });
}

/** Time for which a handler ran, by durable and outcome. */
export const handled = meter.createHistogram('stechuhr.bus.handled', {
  unit: 's',
  description: 'Duration of handling a message.',
  advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] },
});

/** Dead letters by origin. */
export const deadLetters = meter.createCounter('stechuhr.bus.dead_letters', { description: 'Messages that could not be handled.' });

/** Streams that had to be created again while the service was running: the server has lost its store, and the messages waiting in it. */
export const streamsRestored = meter.createCounter('stechuhr.bus.streams_restored', {
  description: 'Streams that the server had lost and that were created again.',
});

/** Messages that a durable consumer has not completed: waiting for it, or being handled. */
export const lag = meter.createObservableGauge('stechuhr.bus.lag', { description: 'Messages that a consumer has not completed yet.' });

/**
 * Sum of the positions, over all its streams, up to which a durable consumer has handled everything. A number of waiting messages says little about a
 * consumer that runs only once a night; a position that does not move while messages wait does.
 */
export const place = meter.createObservableGauge('stechuhr.bus.place', {
  description: 'Position in its streams up to which a consumer has completed everything.',
});

/** Whether a durable consumer cannot receive messages: 1 while it is missing, its user has no rights to it, or the server does not answer. */
export const interrupted = meter.createObservableGauge('stechuhr.bus.interrupted', {
  description: 'Whether a consumer cannot receive messages: 1 while it cannot, otherwise 0.',
});

/** Size of a stream relative to its limit, 0 to 1. A full work queue rejects messages, other streams drop their oldest. */
export const streamFill = meter.createObservableGauge('stechuhr.bus.stream_fill', {
  description: 'Size of a stream relative to its limit, 0 to 1.',
});

/** Whether the server refuses live objects: they have partitions, and it adds no slots to their subjects. */
export const liveObjectsRefused = meter.createObservableGauge('stechuhr.bus.live_objects_refused', {
  description: 'Whether NATS refuses live objects, since it adds no slots to their subjects: 1 while it does, otherwise 0.',
});

/** Age of the oldest unpublished event in an outbox, in seconds, by store; 0 if there is none. */
const outboxAge = meter.createObservableGauge('stechuhr.outbox.age', {
  unit: 's',
  description: 'Age of the oldest unpublished event in an outbox.',
});

/** Documents with unpublished events, by store. */
const outboxWaiting = meter.createObservableGauge('stechuhr.outbox.waiting', {
  description: 'Documents with unpublished events in their outbox; 100,000 may be more.',
});

/** Unpublished events of an outbox. */
export interface Waiting {
  /** Name of the store. */
  readonly store: string;
  readonly documents: number;
  readonly ageSeconds: number;
}

/**
 * Reads the state at each scrape, even while nothing can be published.
 * @returns stops it
 */
export function observeOutboxes(read: () => Promise<readonly Waiting[]>): () => void {
  const readInTime = boundedRead(read);
  const observe = async (result: BatchObservableResult): Promise<void> => {
    for (const { store, documents, ageSeconds } of (await readInTime()) ?? []) {
      result.observe(outboxWaiting, documents, { store });
      result.observe(outboxAge, ageSeconds, { store });
    }
  };
  meter.addBatchObservableCallback(observe, [outboxAge, outboxWaiting]);
  return () => meter.removeBatchObservableCallback(observe, [outboxAge, outboxWaiting]);
}
