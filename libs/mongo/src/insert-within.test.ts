import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { insertWithin, type BoundedGroup } from './insert-within.js';

/** A group in memory, with the unique index that a collection has. It counts its reads. */
class Group implements BoundedGroup {
  reads = 0;
  readonly slots: (number | undefined)[];

  constructor(slots: readonly (number | undefined)[] = []) {
    this.slots = [...slots];
  }

  async takenSlots() {
    await this.pause();
    this.reads += 1;
    return [...this.slots];
  }

  async insert(slot: number) {
    await this.pause();
    if (this.slots.includes(slot)) throw Object.assign(new Error('E11000 duplicate key'), { name: 'MongoServerError', code: 11_000 });
    this.slots.push(slot);
  }

  /** When a command takes effect. */
  protected async pause(): Promise<void> {}
}

/** A group whose commands take effect in an order that fast-check chooses. */
class ScheduledGroup extends Group {
  constructor(
    private readonly scheduler: fc.Scheduler,
    slots: readonly (number | undefined)[],
  ) {
    super(slots);
  }

  protected override pause() {
    return this.scheduler.schedule(Promise.resolve());
  }
}

const times = <T>(count: number, one: () => Promise<T>) => Promise.all(Array.from({ length: count }, one));
const inserted = (outcomes: readonly boolean[]) => outcomes.filter(Boolean).length;

describe('insertWithin', () => {
  it.each([
    { name: 'an empty group', slots: [], max: 2, isInserted: true },
    { name: 'a group with a gap', slots: [0, 2], max: 3, isInserted: true },
    { name: 'a full group', slots: [0, 1], max: 2, isInserted: false },
    { name: 'a full group of documents without a slot', slots: [undefined, undefined], max: 2, isInserted: false },
    { name: 'a group that is fuller than allowed now', slots: [0, 1, 2], max: 2, isInserted: false },
    { name: 'a group without places', slots: [], max: 0, isInserted: false },
  ])('inserts into $name: $isInserted', async ({ slots, max, isInserted }) => {
    const group = new Group(slots);
    expect(await insertWithin(max, group)).toBe(isInserted);
    expect(group.slots).toHaveLength(slots.length + Number(isInserted));
  });

  it('fills a hundred places for six hundred at once with a few reads each', async () => {
    const group = new Group();
    expect(inserted(await times(600, () => insertWithin(100, group)))).toBe(100);
    expect(group.slots).toHaveLength(100);
    expect(group.reads).toBeLessThan(600 * 5);
  });

  it('refuses six hundred at once that compete for the last place', async () => {
    const group = new Group(Array.from({ length: 99 }, (_, slot) => slot));
    expect(inserted(await times(600, () => insertWithin(100, group)))).toBe(1);
    expect(group.reads).toBeLessThan(600 * 3);
  });

  it('fills every place and never exceeds them, whatever the order of the commands', async () => {
    const slot = fc.option(fc.nat({ max: 9 }), { nil: undefined });
    const groups = fc.uniqueArray(slot, { maxLength: 8, selector: (one) => one ?? {} });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), groups, fc.integer({ min: 1, max: 8 }), fc.nat({ max: 8 }), async (scheduler, slots, max, count) => {
        const group = new ScheduledGroup(scheduler, slots);
        const outcomes = times(count, () => insertWithin(max, group));
        await scheduler.waitFor(outcomes);
        const expected = Math.min(count, Math.max(0, max - slots.length));
        expect(inserted(await outcomes)).toBe(expected);
        expect(group.slots).toHaveLength(slots.length + expected);
      }),
    );
  });
});
