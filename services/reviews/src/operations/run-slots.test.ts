import { expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { createRunSlots } from './run-slots.js';

const UNAVAILABLE = new AppError('unavailable', 'A service is not available.');

/** A run that lasts until it is ended, and two that wait: one of its institution and one of another. */
function stage(signal?: AbortSignal, hasLeft = (caller?: AbortSignal) => caller?.aborted === true) {
  const inSlot = createRunSlots({ concurrency: 1, perKey: 1 }, hasLeft);
  const first = Promise.withResolvers<string>();
  const running = inSlot('A', () => first.promise, { ...(signal && { signal }) });
  const waiting = [inSlot('A', async () => 'second'), inSlot('B', async () => 'third')];
  return { inSlot, first, running, waiting };
}

it('a run that finds a dependency unavailable fails all waiting runs, but not later ones', async () => {
  const { inSlot, first, running, waiting } = stage();
  first.reject(UNAVAILABLE);
  const outcomes = await Promise.allSettled([running, ...waiting]);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as unknown) : outcome.value))).toEqual([
    UNAVAILABLE,
    UNAVAILABLE,
    UNAVAILABLE,
  ]);
  await expect(inSlot('A', async () => 'later')).resolves.toBe('later');
});

it.each<[string, AppError, { readonly aborts?: boolean; readonly isLate?: boolean }]>([
  ['fails otherwise', new AppError('internal', 'Internal error.'), {}],
  ['ends because its caller has left', UNAVAILABLE, { aborts: true }],
  ['ends by the deadline of its caller, before the signal', UNAVAILABLE, { isLate: true }],
])('a run that %s does not affect others', async (_, error, { aborts = false, isLate = false }) => {
  const caller = new AbortController();
  const { first, running, waiting } = stage(caller.signal, (signal) => isLate || signal?.aborted === true);
  if (aborts) caller.abort(error);
  first.reject(error);
  await expect(running).rejects.toBe(error);
  await expect(Promise.all(waiting)).resolves.toEqual(['second', 'third']);
});
