import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { ownTime } from './own-time.js';

/** Simulates a process that gets no CPU time. */
const holdUp = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('ownTime does not count the time during which the process was blocked', async () => {
  const waits = async (): Promise<void> => {
    await delay(50);
    holdUp(1_000);
    await delay(50);
  };
  expect(await ownTime(waits)).toBeLessThanOrEqual(120);
  const started = performance.now();
  await waits();
  expect(performance.now() - started).toBeGreaterThan(1_000);
});

it('ownTime counts waiting', async () => {
  // Ticks are never early.
  expect(await ownTime(() => delay(1_000))).toBeGreaterThan(0);
});
