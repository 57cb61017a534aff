import { describe, expect, it } from '@jest/globals';
import { continuationOf, isGivenAgain, isOlderCopy, positionOf, unseenBefore, type Continuation, type Seen } from './stream-clock.js';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 12, minute));
const place = (streamSequence: number, minute: number) => ({ streamSequence, storedAt: at(minute) });
const seen = (highest: number, minute: number, continuations: readonly Continuation[] = []): Seen => {
  return { highest, storedAt: at(minute), continuations };
};
const stream = (firstSequence: number, lastSequence: number) => ({ firstSequence, lastSequence });

describe('the position of a live object', () => {
  it('is its sequence as long as the stream continues', () => {
    expect([100, 140].map((last) => isOlderCopy(seen(100, 5), stream(90, last)))).toEqual([false, false]);
    expect(isGivenAgain(place(101, 6), seen(100, 5))).toBe(false);
    expect(isGivenAgain(place(99, 5), seen(100, 5))).toBe(false);
    expect(positionOf(place(101, 6), [])).toBe(101);
  });

  it('is above all positions seen before, after an older copy has replaced the stream', () => {
    expect(isOlderCopy(seen(100, 5), stream(61, 60))).toBe(true);
    const again = continuationOf(seen(100, 5), stream(61, 60));
    expect(again).toEqual({ since: at(5), after: 60, offset: 40 });
    expect([61, 62].map((sequence) => positionOf(place(sequence, 9), [again]))).toEqual([101, 102]);
    expect(isOlderCopy(seen(100, 5, [again]), stream(61, 60))).toBe(false);
  });

  it('stays the same for messages in the copy, and is above for those stored before the replacement was detected', () => {
    const continuations = [continuationOf(seen(100, 5), stream(50, 63))];
    expect([50, 60].map((sequence) => positionOf(place(sequence, 4), continuations))).toEqual([50, 60]);
    expect([61, 63].map((sequence) => positionOf(place(sequence, 30), continuations))).toEqual([112, 114]);
    expect(positionOf({ streamSequence: 64, storedAt: new Date(at(5).getTime() - 2_000) }, continuations)).toBe(115);
  });

  it('is above even if as many messages were stored before the detection as the copy lacks', () => {
    expect(isOlderCopy(seen(100, 5), stream(61, 130))).toBe(false);
    expect(isGivenAgain(place(61, 30), seen(100, 5))).toBe(true);
    const continuations = [continuationOf(seen(100, 5), stream(61, 130))];
    expect(isGivenAgain(place(61, 30), seen(100, 5, continuations))).toBe(false);
    expect(positionOf(place(61, 30), continuations)).toBe(101);
  });

  it('works for copies of copies', () => {
    const first = continuationOf(seen(100, 5), stream(61, 60));
    expect(isOlderCopy(seen(130, 20, [first]), stream(91, 90))).toBe(false);
    const second = continuationOf(seen(130, 20, [first]), stream(70, 75));
    expect(second).toEqual({ since: at(20), after: 75, offset: 61 });
    expect([place(70, 8), place(76, 25)].map((message) => positionOf(message, [first, second]))).toEqual([110, 137]);
    const third = continuationOf(seen(140, 30, [first, second]), stream(41, 40));
    expect(positionOf(place(41, 40), [first, second, third])).toBe(141);
  });

  it('is the sequence of a stream that was lost and starts again above all positions', () => {
    expect(isOlderCopy(seen(100, 5), stream(1_772_000_000_000_000, 1_771_999_999_999_999))).toBe(false);
  });
});

describe('unseenBefore', () => {
  it('finds nothing if everything that left the stream was received', () => {
    expect([90, 100, 101].map((first) => unseenBefore(seen(100, 5), stream(first, 120)))).toEqual([undefined, undefined, undefined]);
    const again = continuationOf(seen(100, 5), stream(61, 60));
    expect(unseenBefore(seen(100, 5, [again]), stream(61, 60))).toBeUndefined();
  });

  it('finds what left the stream without being received: the stream is newer than the database, or was created again', () => {
    expect(unseenBefore(seen(100, 5), stream(140, 150))).toEqual({ after: 100, before: 140, since: at(5) });
  });
});
