import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SharedRoom } from './shared-room.js';

const MOST = { size: 1_000, bytes: 64_000 };
const partition = () => ({ size: 0, bytes: 0 });

describe('the room of a consumer', () => {
  it('is that of a single partition', () => {
    const room = new SharedRoom(MOST);
    const only = { size: 700, bytes: 50_000 };
    room.add(only);
    expect(room.of(only)).toEqual(MOST);
  });

  it('goes to the partition that needs it, except for a quarter, and three quarters of this to the next one', () => {
    const room = new SharedRoom(MOST);
    const [busy, next, third] = [partition(), partition(), partition()];
    for (const one of [busy, next, third]) room.add(one);
    expect(room.of(busy)).toEqual({ size: 750, bytes: 48_000 });
    Object.assign(busy, { size: 750, bytes: 48_000 });
    expect(room.of(next)).toEqual({ size: 187, bytes: 12_000 });
    Object.assign(next, { size: 187, bytes: 12_000 });
    expect(room.of(third)).toEqual({ size: 47, bytes: 3_000 });
    expect(room.of(busy)).toEqual({ size: 609, bytes: 39_000 });
  });

  it('is that of the others when a partition has left', () => {
    const room = new SharedRoom(MOST);
    const [one, other] = [partition(), partition()];
    room.add(one);
    const leave = room.add(other);
    expect(room.of(one).size).toBe(750);
    leave();
    expect(room.of(one)).toEqual(MOST);
  });

  it('is never exceeded by partitions that keep to it, in whichever order they fill and empty', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(15), fc.double({ min: 0, max: 1, noNaN: true }))), (turns) => {
        const room = new SharedRoom(MOST);
        const partitions = Array.from({ length: 16 }, partition);
        for (const one of partitions) room.add(one);
        for (const [at, share] of turns) {
          const one = partitions[at];
          if (one !== undefined) one.size = Math.floor(share * Math.max(one.size, room.of(one).size));
          expect(partitions.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MOST.size);
        }
      }),
    );
  });
});
