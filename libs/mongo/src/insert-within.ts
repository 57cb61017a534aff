import { isDuplicateKey } from './duplicate-key.js';

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
      await group.insert(lowestFree(new Set(taken)));
      return true;
    } catch (caught) {
      // Another process took the slot in the meantime.
      if (!isDuplicateKey(caught)) throw caught;
    }
  }
}

/** As everybody takes the lowest free slot, concurrent inserts compete for the same one. */
function lowestFree(taken: ReadonlySet<number | undefined>): number {
  let free = 0;
  while (taken.has(free)) free += 1;
  return free;
}
