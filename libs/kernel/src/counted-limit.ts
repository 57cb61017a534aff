/** Limits how many documents an owner has, without counting them for each new one. */
export interface CountedLimit {
  readonly max: number;
  /** Resolves to whether the owner may create another document. */
  hasRoom(owner: string): Promise<boolean>;
}

export interface CountedLimitTerms {
  readonly max: number;
  /** Counts the documents of an owner, up to a number. */
  count(owner: string, upTo: number): Promise<number>;
}

/** Documents that may be created after a count without another one. */
const UNCOUNTED = 100;
/** As many may be under way while a process counts. */
const NEAR = 2 * UNCOUNTED;
/** Owners of whom a process remembers that they have room. For more of them it forgets all. */
const OWNERS = 10_000;
/** Others create documents as well. */
const REMEMBERED_MS = 60_000;

/**
 * Creates a limit for which the documents are counted for every hundredth one, and for each one when fewer than two hundred are left. Otherwise
 * each new one of an owner with a hundred thousand would cost the database as many index entries. One process keeps the limit; several may
 * together exceed it, by a hundred each, if all of them create documents of the owner in the same minute.
 */
export function createCountedLimit({ max, count }: CountedLimitTerms): CountedLimit {
  const rooms = new Map<string, { left: number; readonly until: number }>();
  const remember = (owner: string, left: number): void => {
    if (rooms.size >= OWNERS) rooms.clear();
    rooms.set(owner, { left, until: performance.now() + REMEMBERED_MS });
  };
  return {
    max,
    async hasRoom(owner) {
      const room = rooms.get(owner);
      if (room !== undefined && room.left > 0 && performance.now() < room.until) {
        room.left -= 1;
        return true;
      }
      const counted = await count(owner, max);
      if (counted >= max) return false;
      // The first of several counts at the same time decides.
      if (rooms.get(owner) === room) remember(owner, max - counted < NEAR ? 0 : UNCOUNTED);
      return true;
    },
  };
}
