// What the drivers throw when their server is unreachable or too slow; by name, because the kernel depends on none of them.
const NAMES = new Set([
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
const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** Whether an error means that a required server is unavailable: the caller may try again later. */
export function meansUnavailable(caught: unknown): boolean {
  // By its fields: Node's errors are not instances of the Error class inside another context.
  if (typeof caught !== 'object' || caught === null) return false;
  if (('name' in caught && isOneOf(NAMES, caught.name)) || ('code' in caught && isOneOf(CODES, caught.code))) return true;
  // MongoDB's driver wraps what it met in a write of many documents.
  return 'errorResponse' in caught && meansUnavailable(caught.errorResponse);
}

function isOneOf(known: ReadonlySet<string>, value: unknown): boolean {
  return typeof value === 'string' && known.has(value);
}
