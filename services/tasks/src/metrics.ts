import { metrics, type ObservableResult } from '@opentelemetry/api';
import { boundedRead, secondsBetween } from '@stechuhr/kernel';
import type { FailureCause, Fact, Task } from './domain/task.js';
import type { Ports } from './operations/ports.js';

const meter = metrics.getMeter('@stechuhr/tasks');
const happened = meter.createCounter('stechuhr.tasks.events', {
  description: 'Events of tasks, by the last word of their type; failures also by their cause.',
});
const boundaries = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14_400];
const waited = meter.createHistogram('stechuhr.tasks.waited', {
  unit: 's',
  description: 'Time from the request to the first worker.',
  advice: { explicitBucketBoundaries: boundaries },
});
const took = meter.createHistogram('stechuhr.tasks.took', {
  unit: 's',
  description: 'Time from the request to the file.',
  advice: { explicitBucketBoundaries: boundaries },
});

/**
 * The label by event type. All counters exist from the start at 0, because an alert does not see the first increase of a counter that
 * begins at 1.
 */
const events: Readonly<Record<Fact['type'], string>> = {
  'tasks.task.created': 'created',
  'tasks.task.started': 'started',
  'tasks.task.progressed': 'progressed',
  'tasks.task.finished': 'finished',
  'tasks.task.failed': 'failed',
  'tasks.task.deleted': 'deleted',
};
const causes: readonly FailureCause[] = ['failures', 'lost-leases', 'invalid'];
for (const event of Object.values(events)) {
  if (event !== 'failed') happened.add(0, { event });
  else for (const cause of causes) happened.add(0, { event, cause });
}

const oldest = meter.createObservableGauge('stechuhr.tasks.oldest', {
  unit: 's',
  description:
    'How long it has been the turn of an open task in its institution, of the one that waits or runs longest; 0 when none is open.',
});

/**
 * Reports the age of the oldest open task since its admission whenever metrics are read, until the returned function is called. Tasks that
 * wait for others of their institution do not count; otherwise an institution that starts hundreds would look like a stalled platform.
 */
export function observeOldest({ tasks, clock }: Pick<Ports, 'tasks' | 'clock'>): () => void {
  const read = boundedRead(async () => ({ admittedAt: await tasks.oldestAdmission() }));
  const observe = async (result: ObservableResult): Promise<void> => {
    const found = await read();
    // If the database is unavailable or too slow, no value is reported.
    if (found !== undefined) result.observe(found.admittedAt === undefined ? 0 : secondsBetween(found.admittedAt, clock.now()));
  };
  oldest.addCallback(observe);
  return () => oldest.removeCallback(observe);
}

export function countFacts({ createdAt, startedAt, endedAt }: Task, facts: readonly Fact[]): void {
  for (const fact of facts) {
    const { type } = fact;
    happened.add(1, { event: events[type], ...('cause' in fact && { cause: fact.cause }) });
    if (type === 'tasks.task.started' && startedAt !== null) waited.record(secondsBetween(createdAt, startedAt));
    if (type === 'tasks.task.finished' && endedAt !== null) took.record(secondsBetween(createdAt, endedAt));
  }
}
