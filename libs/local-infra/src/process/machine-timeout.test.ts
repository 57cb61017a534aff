import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from '@jest/globals';
import { crowding, machineTimeout } from './machine-timeout.js';

const over = (ms: number): Promise<number> => {
  const begun = performance.now();
  return new Promise((resolve) => machineTimeout(() => resolve(performance.now() - begun), ms));
};

it.each([
  [0, 1],
  [1, 1],
  [availableParallelism(), 1],
  [3 * availableParallelism(), 3],
])('%d processes that want a processor are %d for each, and never fewer than one', (wanted, expected) => {
  expect(crowding(wanted)).toBe(expected);
});

it('a limit takes longer where many want a processor', async () => {
  // Each of them keeps one processor busy.
  const busy = Array.from({ length: 4 * availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
  await Promise.all(busy.map((worker) => once(worker, 'online')));
  const ms = await over(200);
  await Promise.all(busy.map((worker) => worker.terminate()));
  expect(ms).toBeGreaterThan(400);
});

it('a limit that was taken back is none', async () => {
  let isLate = false;
  machineTimeout(() => (isLate = true), 100)();
  await over(400);
  expect(isLate).toBe(false);
});
