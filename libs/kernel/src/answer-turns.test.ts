import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ANSWERS, createAnswerTurns, PATIENCE_MS, SLOW_READER_MS } from './answer-turns.js';

/** Responses of one part, and which of them began and were ended. */
function stage(limits = ANSWERS) {
  const turns = createAnswerTurns(limits);
  const begun: string[] = [];
  const ended: string[] = [];
  const ask = (institutionId: string, name: string, { isMade = true, canEnd = true } = {}) => {
    const { promise: over, resolve: take } = Promise.withResolvers<void>();
    const { promise: made, resolve: make } = Promise.withResolvers<void>();
    if (isMade) make();
    const leaving = new AbortController();
    const leave = () => {
      leaving.abort(new Error('left'));
      take();
    };
    const end = ({ code }: { code: string }) => {
      ended.push(`${name} ${code}`);
      leave();
    };
    const answer = turns.stream({ institutionId, signal: leaving.signal, over, ...(canEnd && { end }) }, async function* () {
      begun.push(name);
      await made;
      yield name;
    });
    const part = answer.next();
    // Reads like a client: the rest is requested as soon as a part was sent.
    const read = part.then(() => answer.next());
    read.catch(() => undefined);
    return { part, take, leave, make };
  };
  return { ask, begun, ended };
}

describe('createAnswerTurns', () => {
  afterEach(() => void jest.useRealTimers());

  it('holds a slot until the response has been received', async () => {
    const { ask, begun } = stage();
    const own = Array.from({ length: 6 }, (_, n) => ask('A', `A${String(n)}`));
    const other = ask('B', 'B0');
    expect(await other.part).toEqual({ done: false, value: 'B0' });
    expect(begun).toEqual(['A0', 'A1', 'A2', 'A3', 'B0']);
    own[0]?.take();
    expect(await own[4]?.part).toEqual({ done: false, value: 'A4' });
    expect(begun).not.toContain('A5');
  });

  it('holds it while the response is computed, even if the caller has disconnected', async () => {
    const { ask, begun } = stage();
    const own = Array.from({ length: 5 }, (_, n) => ask('A', `A${String(n)}`, { isMade: false }));
    own[0]?.leave();
    expect(await ask('B', 'B0').part).toEqual({ done: false, value: 'B0' });
    expect(begun).not.toContain('A4');
    own[0]?.make();
    own[4]?.make();
    expect(await own[4]?.part).toEqual({ done: false, value: 'A4' });
  });

  it('removes a caller from the queue when it disconnects', async () => {
    const { ask, begun } = stage();
    for (let n = 0; n < 4; n++) await ask('A', `A${String(n)}`).part;
    const waiting = ask('A', 'A4');
    waiting.leave();
    await expect(waiting.part).rejects.toThrow('left');
    expect(begun).not.toContain('A4');
  });

  it('refuses requests of an institution while its earlier ones have waited for three seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { ask, begun } = stage();
    const own = Array.from({ length: 5 }, (_, n) => ask('A', `A${String(n)}`));
    await own[3]?.part;
    jest.advanceTimersByTime(PATIENCE_MS + 1);
    await expect(ask('A', 'A5').part).rejects.toMatchObject({ code: 'unavailable' });
    own[2]?.take();
    expect(await ask('B', 'B0').part).toEqual({ done: false, value: 'B0' });
    expect(await own[4]?.part).toEqual({ done: false, value: 'A4' });
    own[1]?.take();
    expect(await ask('A', 'A6').part).toEqual({ done: false, value: 'A6' });
    expect(begun).not.toContain('A5');
  });

  it('ends the response that has waited longest for its reader when another institution waits', async () => {
    jest.useFakeTimers();
    const { ask, begun, ended } = stage({ concurrency: 2, perKey: 1 });
    await ask('A', 'A0').part;
    await jest.advanceTimersByTimeAsync(1_000);
    await ask('B', 'B0').part;
    const waiting = [ask('C', 'C0'), ask('D', 'D0')];
    await jest.advanceTimersByTimeAsync(SLOW_READER_MS - 2_000);
    expect(ended).toEqual([]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect({ ended, begun }).toEqual({ ended: ['A0 rate_limited', 'B0 rate_limited'], begun: ['A0', 'B0', 'C0', 'D0'] });
    await Promise.all(waiting.map(({ part }) => part));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends none for an institution that already has its share', async () => {
    jest.useFakeTimers();
    const { ask, ended } = stage({ concurrency: 2, perKey: 1 });
    await Promise.all([ask('A', 'A0').part, ask('B', 'B0').part]);
    ask('A', 'A1');
    await jest.advanceTimersByTimeAsync(10 * SLOW_READER_MS);
    expect(ended).toEqual([]);
  });

  it('ends none that is still computed, or that may not be ended', async () => {
    jest.useFakeTimers();
    const { ask, ended } = stage({ concurrency: 2, perKey: 1 });
    ask('A', 'A0', { isMade: false });
    await ask('B', 'B0', { canEnd: false }).part;
    ask('C', 'C0');
    await jest.advanceTimersByTimeAsync(10 * SLOW_READER_MS);
    expect(ended).toEqual([]);
  });
});
