/**
 * Read and write guarantees of every MongoDB client, which connection strings cannot override.
 * - A write is acknowledged when a majority of the members has it, so that no election reverts what a client was told.
 * - Reads go to the primary and see its latest state: after a lost compare-and-set or a duplicate key, the winning document must be visible, even
 * before the majority has it.
 * - The driver retries a read or write once after a lost connection or an election; the server detects duplicates.
 */
export const concerns = {
  w: 'majority',
  readConcernLevel: 'local',
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
} as const;

/** For reads whose result is sent out without a preceding acknowledged write: an election must not revert it. */
export const committed = { readConcern: { level: 'majority' } } as const;
