import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTimeBudget } from './time-budget.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a time budget', () => {
  it('ends when all waits together have taken this time', async () => {
    const budget = createTimeBudget(1_000);
    for (const ms of [400, 500]) {
      const waiting = budget.wait(new Promise((resolve) => setTimeout(resolve, ms)));
      await jest.advanceTimersByTimeAsync(ms);
      await waiting;
    }
    expect(budget.signal.aborted).toBe(false);
    const endless = budget.wait(new Promise((_, reject) => budget.signal.addEventListener('abort', reject)));
    const ended = expect(endless).rejects.toBeDefined();
    await jest.advanceTimersByTimeAsync(99);
    expect(budget.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await ended;
    expect(budget.signal.reason).toMatchObject({ problem: 'late' });
  });

  it('does not advance while nothing is awaited', async () => {
    const budget = createTimeBudget(1_000);
    await budget.wait(Promise.resolve());
    await jest.advanceTimersByTimeAsync(60_000);
    await budget.wait(Promise.resolve());
    expect(budget.signal.aborted).toBe(false);
  });
});
