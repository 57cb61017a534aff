import { createNoopMeter, metrics, type Meter } from '@opentelemetry/api';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { NOW, SECOND, taskWith } from './domain/test-support.js';

/** The recorded values by the name of the histogram. */
const recorded: [name: string, value: number][] = [];
const counted: [value: number, attributes: unknown][] = [];
const meter: Meter = Object.assign(createNoopMeter(), {
  createCounter: () => ({ add: (...one: [number, unknown]) => void counted.push(one) }),
  createHistogram: (name: string) => ({ record: (value: number) => void recorded.push([name, value]) }),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// The module uses the provider that is set when it is loaded.
const { countFacts } = await import('./metrics.js');

const begun = counted.splice(0);
beforeEach(() => {
  recorded.splice(0);
  counted.splice(0);
});
afterAll(() => metrics.disable());

const FACTS = [{ type: 'tasks.task.started' }, { type: 'tasks.task.finished', rows: 1, size_bytes: 1, skipped: 0 }] as const;

it.each([
  ['as long as it took', { started: 2, ended: 5 }, [2, 5]],
  ['no time, where clocks were set back meanwhile', { started: -600, ended: -590 }, [0, 0]],
])('a task took %s', (_, { started, ended }, [waited, took]) => {
  countFacts(taskWith({ startedAt: NOW + started * SECOND, endedAt: NOW + ended * SECOND }), FACTS);
  expect(recorded).toEqual([
    ['stechuhr.tasks.waited', waited],
    ['stechuhr.tasks.took', took],
  ]);
});

it('counts failures by their cause, each one from 0', () => {
  const causes = ['failures', 'lost-leases', 'invalid'] as const;
  expect(begun.filter(([, attributes]) => (attributes as { event: string }).event === 'failed')).toEqual(
    causes.map((cause) => [0, { event: 'failed', cause }]),
  );
  countFacts(taskWith(), [{ type: 'tasks.task.failed', cause: 'invalid' }, { type: 'tasks.task.deleted' }]);
  expect(counted).toEqual([
    [1, { event: 'failed', cause: 'invalid' }],
    [1, { event: 'deleted' }],
  ]);
});
