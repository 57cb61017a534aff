// Errors of the drivers when their server is unreachable or too slow. They are matched by name, because the kernel does not depend on the
// drivers.
const NAMES = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'PoolClearedOnNetworkError',
  'MongoPoolClearedError',
  'PoolRequestedRetry',
  'MaxRetriesPerRequestError',
  'ConnectionError',
  'ClosedConnectionError',
  'DrainingConnectionError',
  'NoRespondersError',
]);
const CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET'],
  'EADDRNOTAVAIL', // no local port is free
]);

/** Error codes of MongoDB for temporary failures (error_codes.yml of its source). */
const MONGODB_CODES = new Set<unknown>([
  14_031, // OutOfDiskSpace
  ...[91, 11_600], // ShutdownInProgress, InterruptedAtShutdown
  ...[189, 10_107, 11_602, 13_435, 13_436], // during an election: PrimarySteppedDown, NotWritablePrimary, InterruptedDueToReplStateChange, …
  // Behind a router: HostUnreachable, HostNotFound, NetworkTimeout, SocketException, FailedToSatisfyReadPreference (no primary of a shard).
  ...[6, 7, 89, 9_001, 133],
  134, // from a member that has just started: ReadConcernMajorityNotAvailableYet
  ...[50, 64, 262], // MaxTimeMSExpired, WriteConcernTimeout, ExceededTimeLimit
]);

/** Whether an error means that a required server is unavailable, so that the caller may try again later. */
export function meansUnavailable(caught: unknown): boolean {
  // Checks fields, because in another context (such as Jest's), Node's errors are not instances of its Error class.
  if (typeof caught !== 'object' || caught === null) return false;
  if (('name' in caught && isOneOf(NAMES, caught.name)) || ('code' in caught && isOneOf(CODES, caught.code))) return true;
  if ('name' in caught && 'code' in caught && isOfMongodb(caught.name) && MONGODB_CODES.has(caught.code)) return true;
  // MongoDB's driver wraps the error of a bulk write.
  return 'errorResponse' in caught && meansUnavailable(caught.errorResponse);
}

/** Whether an error comes from MongoDB; the numeric codes of other errors have other meanings. */
function isOfMongodb(name: unknown): boolean {
  return typeof name === 'string' && name.startsWith('Mongo');
}

function isOneOf(known: ReadonlySet<string>, value: unknown): boolean {
  return typeof value === 'string' && known.has(value);
}
