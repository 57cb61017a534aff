/**
 * Time limits of the driver, in milliseconds. Together they act as the circuit breaker of a service: while a server hangs, a caller gets a response
 * after 5 s at first (the next heartbeat, its time limit, and one more server selection), then after 1.5 s, and within a second once the server
 * answers again. There is no limit for single commands: building an index, or a large read, may take as long as the server is responsive.
 */
export const timeLimits = {
  /** How often each connection pool checks its server. If it does not answer, the pool is closed at once, with all running operations. */
  heartbeatFrequencyMS: 500,
  /** For establishing a connection, and for the response to a heartbeat: a server that is only busy must not be taken for one that hangs. */
  connectTimeoutMS: 3_000,
  /** How long a call waits for a suitable server; elections are bridged by callers, which try again. */
  serverSelectionTimeoutMS: 1_500,
  /** How long a call waits for a connection while all of them are in use. */
  waitQueueTimeoutMS: 4_000,
  /** Idle connections are closed, so that they do not occupy a restarted proxy permanently. */
  maxIdleTimeMS: 300_000,
} as const;

/** The minimum time of retrying before a server counts as unreachable: a single attempt ends sooner than a busy machine answers. */
export const FIRST_CONNECTION_MS = 5_000;
