// What the drivers throw when their server is away or too slow; by name, because the kernel depends on none of them.
const AWAY_NAMES = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'PoolClearedOnNetworkError',
  'PoolClearedError',
  'PoolRequestedRetry',
  'MaxRetriesPerRequestError',
  'ConnectionError',
  'ClosedConnectionError',
  'DrainingConnectionError',
  'NoRespondersError',
]);
const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** Whether something caught says that a server we need is away: the caller may try again later, and nobody made a mistake. */
export function saysAway(caught: unknown): boolean {
  if (!(caught instanceof Error)) return false;
  return AWAY_NAMES.has(caught.name) || ('code' in caught && typeof caught.code === 'string' && AWAY_CODES.has(caught.code));
}
