/**
 * What counts as written and as read, for every client of MongoDB; what an address says otherwise has no effect.
 *
 * - A write is acknowledged when a majority of the members has it, so that no election takes back what a client was told.
 * - Reads go to the primary and see what it has: who lost a compare-and-set or met a unique key has to find the winner, also in the moment
 *   in which the majority does not have it yet.
 * - The driver repeats a write or read once that a lost connection or an election interrupted; the server recognises the repeat.
 */
export const concerns = {
  w: 'majority',
  readConcernLevel: 'local',
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
} as const;

/** For a read whose result leaves the service without an acknowledged write before it: an election must not take back what was told. */
export const committed = { readConcern: { level: 'majority' } } as const;
