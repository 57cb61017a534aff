import { describe, expect, it } from '@jest/globals';
import { EventLoopBreaks } from './event-loop-breaks.js';

/** Loops without an end of its own. @returns the number of steps */
async function loop(breaks: EventLoopBreaks, isOver: () => boolean): Promise<number> {
  for (let steps = 1; ; steps++) {
    if (breaks.isDue) await breaks.take();
    if (isOver()) return steps;
  }
}

describe('EventLoopBreaks', () => {
  it('let other tasks run during a loop', async () => {
    let hasRun = false;
    setImmediate(() => (hasRun = true));
    expect(await loop(new EventLoopBreaks(), () => hasRun)).toBeGreaterThan(1);
  });

  it('end the loop when the signal is aborted', async () => {
    const left = new AbortController();
    setImmediate(() => left.abort(new Error('The caller has left.')));
    await expect(loop(new EventLoopBreaks(left.signal), () => false)).rejects.toThrow('The caller has left.');
  });
});
