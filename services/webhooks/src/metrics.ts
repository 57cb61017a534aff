import { metrics, type ObservableResult } from '@opentelemetry/api';
import { boundedRead, secondsBetween } from '@stechuhr/kernel';
import type { Answer } from './domain/delivery.js';
import type { Ports } from './operations/ports.js';

const meter = metrics.getMeter('@stechuhr/webhooks');
const took = meter.createHistogram('stechuhr.webhooks.attempt', {
  unit: 's',
  description: 'Requests to webhooks, by outcome: ok, or the problem.',
  advice: { explicitBucketBoundaries: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] },
});
const late = meter.createObservableGauge('stechuhr.webhooks.late', {
  unit: 's',
  description: 'How long the most overdue webhook has been due; 0 if none is. Failing webhooks pause and are not due meanwhile.',
});

export function countAttempt({ problem }: Answer, seconds: number): void {
  took.record(seconds, { outcome: problem ?? 'ok' });
}

/** Reports the delay of deliveries whenever metrics are read, until the returned function is called. */
export function observeLate({ webhooks, clock }: Pick<Ports, 'webhooks' | 'clock'>): () => void {
  const read = boundedRead(async () => ({ dueAt: await webhooks.oldestDue() }));
  const observe = async (result: ObservableResult): Promise<void> => {
    const found = await read();
    // If the database is unavailable or too slow, no value is reported.
    if (found !== undefined) result.observe(found.dueAt === undefined ? 0 : secondsBetween(found.dueAt, clock.now()));
  };
  late.addCallback(observe);
  return () => late.removeCallback(observe);
}
