import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Failure } from '../failure.js';
import { ok } from './check.js';
import { runChecks } from './run-checks.js';

describe('runChecks', () => {
  it('gives the findings in the order of the checks, and takes a missing address for one', async () => {
    const missing = () => {
      throw new Failure('MONGODB_URL is not set.\nSet it.', 1);
    };
    const checks = [
      { name: 'first', run: async () => [ok('first', 'well')] },
      { name: 'second', run: missing },
      { name: 'third', run: () => [ok('third', 'well'), ok('third, too', 'well')] },
    ];
    expect(await runChecks(checks, () => undefined)).toEqual([
      ok('first', 'well'),
      { name: 'second', state: 'failed', detail: 'MONGODB_URL is not set.', advice: 'Set it.' },
      ok('third', 'well'),
      ok('third, too', 'well'),
    ]);
  });

  it('reports what a check throws, too, beside the findings of the others', async () => {
    const broken = async () => {
      throw new RangeError('Port should be >= 0 and < 65536.');
    };
    const checks = [
      { name: 'first', run: () => [ok('first', 'well')] },
      { name: 'second', run: broken },
    ];
    expect(await runChecks(checks, () => undefined)).toEqual([
      ok('first', 'well'),
      {
        name: 'second',
        state: 'failed',
        detail: 'Port should be >= 0 and < 65536.',
        advice: 'It could not be checked: correct its address, then try again.',
      },
    ]);
  });

  it('reports which checks are still running', async () => {
    const said = new EventEmitter<{ note: [text: string] }>();
    const slow = Promise.withResolvers<void>();
    const checks = [
      { name: 'quick', run: () => [] },
      { name: 'slow', run: () => slow.promise.then(() => []) },
      { name: 'slow, too', run: () => slow.promise.then(() => []) },
    ];
    const found = runChecks(checks, (text) => said.emit('note', text), 10);
    expect(await once(said, 'note')).toEqual(['Still running: slow, slow, too.']);
    slow.resolve();
    expect(await found).toEqual([]);
  });
});
