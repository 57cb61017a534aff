/** Codes of refusals for which the client has no name (`errors.json` of nats-server). */
export const serverCodes = {
  /** Two streams would take the same subject. */
  subjectsOverlap: 10_065,
  /** There is a stream of this name with another configuration. */
  streamExists: 10_058,
  /** There is a consumer of this name with another configuration. */
  consumerExists: 10_148,
} as const;
