import { describe, expect, it } from '@jest/globals';
import { ANSWERS, streamInTurn } from './answer-turns.js';
import { createFairLimiter } from './fair-limiter.js';

/** Responses of one part, and which of them began. */
function stage() {
  const inTurn = createFairLimiter(ANSWERS);
  const begun: string[] = [];
  const ask = (institutionId: string, name: string, isMade = true) => {
    const { promise: over, resolve: take } = Promise.withResolvers<void>();
    const { promise: made, resolve: make } = Promise.withResolvers<void>();
    if (isMade) make();
    const leaving = new AbortController();
    const answer = streamInTurn(inTurn, { institutionId, signal: leaving.signal, over }, async function* () {
      begun.push(name);
      await made;
      yield name;
    });
    const leave = () => {
      leaving.abort(new Error('left'));
      take();
    };
    const part = answer.next();
    // Reads like a client: the rest is requested as soon as a part was sent.
    const read = part.then(() => answer.next());
    read.catch(() => undefined);
    return { part, take, leave, make };
  };
  return { ask, begun };
}

describe('streamInTurn', () => {
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
    const own = Array.from({ length: 5 }, (_, n) => ask('A', `A${String(n)}`, false));
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
});
