import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { ownTimeLimit } from './own-time-limit.js';

it('ownTimeLimit does not advance while the process is blocked, and ends a wait', async () => {
  const began = performance.now();
  const limit = ownTimeLimit(500);
  // Simulates a process that gets no CPU time.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  await delay(1);
  expect(limit.aborted).toBe(false);
  await Promise.all([once(limit, 'abort'), delay(2_000)]);
  expect(performance.now() - began).toBeGreaterThan(1_400);
  expect(limit.reason).toMatchObject({ name: 'TimeoutError', message: 'no answer within 500 ms' });
});
