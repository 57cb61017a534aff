import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createPatience } from './patience.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('patience', () => {
  it('ends when all waits together have taken this time', async () => {
    const patience = createPatience(1_000);
    for (const ms of [400, 500]) {
      const waiting = patience.wait(new Promise((resolve) => setTimeout(resolve, ms)));
      await jest.advanceTimersByTimeAsync(ms);
      await waiting;
    }
    expect(patience.signal.aborted).toBe(false);
    const endless = patience.wait(new Promise((_, reject) => patience.signal.addEventListener('abort', reject)));
    const ended = expect(endless).rejects.toBeDefined();
    await jest.advanceTimersByTimeAsync(99);
    expect(patience.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await ended;
    expect(patience.signal.reason).toMatchObject({ problem: 'late' });
  });

  it('does not advance while nothing is awaited', async () => {
    const patience = createPatience(1_000);
    await patience.wait(Promise.resolve());
    await jest.advanceTimersByTimeAsync(60_000);
    await patience.wait(Promise.resolve());
    expect(patience.signal.aborted).toBe(false);
  });
});
