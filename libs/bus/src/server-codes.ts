/** Error codes for which the client has no names (`errors.json` of nats-server). */
export const serverCodes = {
  /** Two streams would have the same subject. */
  subjectsOverlap: 10_065,
  /** A stream with this name and another configuration exists. */
  streamExists: 10_058,
  /** A consumer with this name and another configuration exists. */
  consumerExists: 10_148,
} as const;
