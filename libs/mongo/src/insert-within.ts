import { isDuplicateKey } from './failed-writes.js';

/** How {@link insertWithin} reads and inserts the documents of a group. */
export interface BoundedGroup {
  /** The slots of all documents of the group; undefined for documents without one. */
  takenSlots(): Promise<readonly (number | undefined)[]>;
  /** Inserts a document with a slot, which a unique index must not allow twice in the group. */
  insert(slot: number): Promise<unknown>;
}

/**
 * Inserts a document unless its group already has `max`, even if several are inserted concurrently: each document takes a number that is unique
 * in its group, and there are only `max` numbers.
 * @returns whether it was inserted
 */
export async function insertWithin(max: number, group: BoundedGroup): Promise<boolean> {
  for (;;) {
    const taken = await group.takenSlots();
    if (taken.length >= max) return false;
    try {
      await group.insert(anyOf(lowestFree(max - taken.length, new Set(taken))));
      return true;
    } catch (caught) {
      // Another process took the slot in the meantime.
      if (!isDuplicateKey(caught)) throw caught;
    }
  }
}

/**
 * Returns the lowest `count` free slots. Documents without a slot leave fewer places than there are free slots: whoever inserts takes one of these, so
 * that concurrent inserts compete for the places that are left, and not for others beside them.
 */
function lowestFree(count: number, taken: ReadonlySet<number | undefined>): number[] {
  const free: number[] = [];
  for (let slot = 0; free.length < count; slot += 1) if (!taken.has(slot)) free.push(slot);
  return free;
}

/** If all took the lowest one, hundreds of concurrent inserts would fill one place in each round. */
function anyOf(slots: readonly number[]): number {
  const [first = 0] = slots;
  return slots[Math.floor(Math.random() * slots.length)] ?? first;
}
