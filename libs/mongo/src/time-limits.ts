/**
 * The driver's time limits, in milliseconds. Together they act as a circuit breaker: when a server hangs, the first calls fail after 5 s
 * (the next heartbeat, its timeout, and one more server selection), later calls after 1.5 s; when the server answers again, calls succeed
 * within a second. Single commands have no limit: building an index or a large read may take long as long as the server answers heartbeats.
 */
export const timeLimits = {
  /** Interval of the heartbeats. A server that does not answer is dropped at once, together with all running operations. */
  heartbeatFrequencyMS: 500,
  /** Limit for connecting and for the answer to a heartbeat; long enough that a busy server is not mistaken for one that hangs. */
  connectTimeoutMS: 3_000,
  /** How long a call waits for a suitable server. Callers retry to bridge elections. */
  serverSelectionTimeoutMS: 1_500,
  /** How long a call waits for a connection while all of them are in use. */
  waitQueueTimeoutMS: 4_000,
  /** Idle connections are closed, so that a restarted proxy does not keep all connections forever. */
  maxIdleTimeMS: 300_000,
} as const;

/** Minimum time before a server counts as unreachable: a single attempt fails sooner than a busy machine answers. */
export const FIRST_CONNECTION_MS = 5_000;
