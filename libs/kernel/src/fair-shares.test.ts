import { describe, expect, it } from '@jest/globals';
import { createFairShares } from './fair-shares.js';

describe('createFairShares', () => {
  it('leaves as much free as a key holds', () => {
    const shares = createFairShares(10);
    const [one, other] = [shares.open('a'), shares.open('a')];
    // Before the last one is refused, a holds 6 of 10, and 4 are free.
    expect([one.add(3), other.add(2), one.add(1), other.add(1)]).toEqual([true, true, true, false]);
    const third = shares.open('b');
    expect([third.add(2), third.add(1), third.add(1)]).toEqual([true, true, false]);
    // 1 is free.
    expect([shares.open('c').add(2), shares.open('c').add(1), shares.open('d').add(1)]).toEqual([false, true, false]);
  });

  it('gives back what a share holds, once', () => {
    const shares = createFairShares(4);
    const share = shares.open('a');
    expect([share.add(2), share.add(1), share.add(1)]).toEqual([true, true, false]);
    share.release();
    share.release();
    expect(share.add(1)).toBe(false);
    const next = shares.open('b');
    expect([next.add(4), next.add(0)]).toEqual([true, false]);
  });
});
