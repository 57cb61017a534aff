import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { AppError, cutText, type AppErrorCode, type FieldErrors } from '@stechuhr/kernel';
import { fittingDetails } from './fitting-details.js';

/** The gRPC status of each AppError code; used in both directions. */
const STATUS_OF = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  precondition: status.FAILED_PRECONDITION,
  rate_limited: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  internal: status.INTERNAL,
} as const satisfies Record<AppErrorCode, status>;

/**
 * Status codes that the transport itself generates: the other side is unreachable or slow, the caller gave up, or the method is unknown to
 * the other side, which has an older version during an upgrade.
 */
const TRANSPORT_STATUS = new Set<status>([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.UNIMPLEMENTED]);

/**
 * What grpc-js adds to the details when the connection has ended: by an error of the kernel (`write EPIPE`, `read EHOSTUNREACH`), two of which have the
 * status UNAVAILABLE and the others INTERNAL, or by the server (`Session closed with error code 2`), always INTERNAL.
 */
const LOST_CONNECTION = /internal client error: (?:\w+ E[A-Z]+|Session closed with error code \d+)/;

/** How grpc-js words a refusal by HTTP/2: the connection has as many calls as the other side allows (`grpc.max_concurrent_streams`). */
const FULL_CONNECTION = 'Bandwidth exhausted or memory limit exceeded';

/** How grpc-js words that the other side refused a call before its handler saw it, because it ends the connection (RFC 9113, section 8.7). */
const REFUSED_STREAM = 'Stream refused by server';

const TRAILER = 'stechuhr-error-bin';
// Base64 adds a third, and proxies allow 8 KiB for all headers together.
const MAX_TRAILER_BYTES = 4096;
// Percent-encoding triples umlauts; the full text is in the trailer.
const MAX_MESSAGE_LENGTH = 200;
/** Of a message in the trailer. */
const MAX_SENT_MESSAGE_LENGTH = 1_000;

/** Converts an error to a status with a trailer; its cause is not included. */
export function toStatus(error: AppError): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const metadata = new Metadata();
  metadata.set(TRAILER, encodeTrailer(error));
  return { code: STATUS_OF[error.code], details: textOf(error), metadata };
}

/** What clients read that do not know the trailer: services of other teams, grpcurl. A cut may not leave half a character. */
function textOf({ message, details }: AppError): string {
  const text = details === undefined ? message : `${message.replace(/\.$/, '')}: ${JSON.stringify(details)}`;
  return text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

/** The AppError that the other side threw; without our trailer, it is derived from the status alone. */
export function fromServiceError(error: ServiceError): AppError {
  const sent = decodeTrailer(error);
  if (sent !== undefined) return new AppError(sent.code, sent.message, { cause: error, ...(sent.details && { details: sent.details }) });
  return TRANSPORT_STATUS.has(error.code) || endedWithConnection(error) || wasRefusedByHttp2(error)
    ? new AppError('unavailable', 'A service is not available.', { cause: error })
    : new AppError('internal', 'Internal error.', { cause: error });
}

function endedWithConnection({ code, details }: ServiceError): boolean {
  return code === status.INTERNAL && LOST_CONNECTION.test(details);
}

function wasRefusedByHttp2({ code, details }: ServiceError): boolean {
  return code === status.RESOURCE_EXHAUSTED && details === FULL_CONNECTION;
}

/** Converts anything that a call throws. */
export function toAppError(caught: unknown): AppError {
  return isServiceError(caught) ? fromServiceError(caught) : AppError.from(caught);
}

/** Whether the other side sent the error, as opposed to a lost connection. */
export function wasSent({ cause }: AppError): boolean {
  return isServiceError(cause) && decodeTrailer(cause) !== undefined;
}

/**
 * Whether the other side refused a call, so that it was certainly not executed and may be sent again. grpc-js sends it again once, unless it is larger
 * than its buffer (1 MiB).
 */
export function wasRefused({ cause }: AppError): boolean {
  return isServiceError(cause) && cause.code === status.UNAVAILABLE && cause.details === REFUSED_STREAM;
}

/** Thrown if no connection could be established: the call was not sent. */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError';
}

/** Whether a call failed because no connection could be established, so that nothing was sent; false if an existing connection broke. */
export function isUnreached({ cause }: AppError): boolean {
  // The corresponding error of grpc-js has no code of its own.
  return cause instanceof NoConnectionError || (cause instanceof Error && cause.message.includes('No connection established'));
}

/**
 * Whether a call failed because a connection broke, as it does when the process of a service is killed: its own connection, or that of a call that
 * the service made for it. False if there was no connection, if the call was refused, or if a service itself answered that it is unavailable.
 */
export function isInterrupted(error: AppError): boolean {
  const { code, cause } = error;
  if (code !== 'unavailable' || !isServiceError(cause)) return false;
  const sent = decodeTrailer(cause);
  if (sent !== undefined) return sent.interrupted === true;
  return endedWithConnection(cause) || (cause.code === status.UNAVAILABLE && !isUnreached(error) && !wasRefused(error));
}

/** Whether an exception is the error of a gRPC call. */
export function isServiceError(caught: unknown): caught is ServiceError {
  return caught instanceof Error && 'code' in caught && 'metadata' in caught && caught.metadata instanceof Metadata;
}

interface SentError {
  readonly code: AppErrorCode;
  readonly message: string;
  readonly details?: FieldErrors;
  /** True if a connection behind the other side broke. */
  readonly interrupted?: boolean;
}

function encodeTrailer(error: AppError): Buffer {
  const message = cutText(error.message, MAX_SENT_MESSAGE_LENGTH);
  const interrupted = isInterrupted(error) && { interrupted: true };
  const full = encode({ code: error.code, message, ...(error.details && { details: error.details }), ...interrupted });
  if (full.byteLength <= MAX_TRAILER_BYTES || error.details === undefined) return full;
  return encode({ code: error.code, message, details: fittingDetails(error.details, MAX_TRAILER_BYTES - message.length * 3 - 100) });
}

function encode(sent: SentError): Buffer {
  return Buffer.from(JSON.stringify(sent));
}

function decodeTrailer(error: ServiceError): SentError | undefined {
  const [value] = error.metadata.get(TRAILER);
  if (!Buffer.isBuffer(value)) return undefined;
  try {
    const sent: SentError = JSON.parse(value.toString('utf8'));
    return Object.hasOwn(STATUS_OF, sent.code) ? sent : undefined;
  } catch {
    return undefined;
  }
}
