import { metrics } from '@opentelemetry/api';
import type { Fact, Task } from './domain/task.js';

const meter = metrics.getMeter('@stechuhr/tasks');
const happened = meter.createCounter('stechuhr.tasks.events', { description: 'What happened to tasks, by the last word of the event.' });
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

export function countFacts({ createdAt, startedAt, endedAt }: Task, facts: readonly Fact[]): void {
  for (const { type } of facts) {
    happened.add(1, { event: type.slice(type.lastIndexOf('.') + 1) });
    if (type === 'tasks.task.started' && startedAt !== null) waited.record((startedAt - createdAt) / 1000);
    if (type === 'tasks.task.finished' && endedAt !== null) took.record((endedAt - createdAt) / 1000);
  }
}
