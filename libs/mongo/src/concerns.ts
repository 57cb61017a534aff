/**
 * The read and write concerns of every client of MongoDB. They override those of the connection string.
 *
 * - A write is acknowledged when a majority of the members has it, so that an election cannot roll back what a client was told.
 * - Reads go to the primary and see its latest data: after a lost compare-and-set or a duplicate key, the winning write must be visible
 *   even before a majority has it.
 * - The driver retries a write or read once after a lost connection or an election; the server recognises repeated writes.
 */
export const concerns = {
  w: 'majority',
  readConcernLevel: 'local',
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
} as const;

/** For reads whose result is passed on without an acknowledged write of our own: an election must not roll back what others were told. */
export const committed = { readConcern: { level: 'majority' } } as const;
