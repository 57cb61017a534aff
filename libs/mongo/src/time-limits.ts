/**
 * The driver's limits, in milliseconds. Together they are the breaker of a service: who is asked while a server hangs is answered after 5 s
 * at first (the next look at the server, its time limit, and one more search for a server), then after 1.5 s, and within a second once it
 * answers again. No limit is set on single commands: an index that is built, or a large read, takes its time as long as the server answers.
 */
export const timeLimits = {
  /** How often each connection pool looks at its server. One that does not answer is left at once, with everything that is under way. */
  heartbeatFrequencyMS: 500,
  /** For making a connection, and for the answer to a look: a server that is only busy must not be taken for one that hangs. */
  connectTimeoutMS: 3_000,
  /** How long a call waits for a server that can take it; elections are bridged by the callers, who try again. */
  serverSelectionTimeoutMS: 1_500,
  /** How long a call waits for a connection while all of them are in use. */
  waitQueueTimeoutMS: 4_000,
  /** Idle connections end, so that a restarted proxy is not filled for good. */
  maxIdleTimeMS: 300_000,
} as const;

/** How long to try at least before a server counts as unreachable: one attempt ends sooner than a busy machine answers. */
export const FIRST_CONNECTION_MS = 5_000;
