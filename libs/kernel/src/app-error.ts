import { meansUnavailable } from './unavailable.js';

/**
 * The reason why an operation failed. The transport layers translate it to a gRPC status, an HTTP response, or an ack decision of the bus.
 */
export type AppErrorCode =
  'invalid' | 'unauthenticated' | 'forbidden' | 'not_found' | 'conflict' | 'precondition' | 'rate_limited' | 'unavailable' | 'internal';

/**
 * The body of a response with status 400, in the format of Django REST framework: field names with messages, `non_field_errors` for
 * problems of several fields, and nested lists that keep their positions.
 */
export interface FieldErrors {
  readonly [field: string]: readonly string[] | readonly FieldErrors[];
}

interface AppErrorOptions {
  /** Field errors of an `invalid` error; they become the body of the response. */
  readonly details?: FieldErrors;
  /** The underlying error, for logs only; never sent to a client. */
  readonly cause?: unknown;
  /** For `unavailable`: whether only one record is affected, so that others can still be written. */
  readonly isOfRecord?: boolean;
}

/** The only error type that operations throw. Its message is public: it may be sent to a client unchanged. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  readonly details: FieldErrors | undefined;
  /** For `unavailable`: whether only one record is affected, so that others can still be written. */
  readonly isOfRecord: boolean;

  constructor(code: AppErrorCode, publicMessage: string, options: AppErrorOptions = {}) {
    super(publicMessage, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.isOfRecord = options.isOfRecord ?? false;
  }

  /**
   * Normalizes an exception: an AppError is returned unchanged, an error of a driver whose server is unreachable becomes `unavailable`, everything
   * else `internal`, with the original as its cause.
   */
  static from(caught: unknown): AppError {
    if (caught instanceof AppError) return caught;
    return meansUnavailable(caught)
      ? new AppError('unavailable', 'A service is not available.', { cause: caught })
      : new AppError('internal', 'Internal error.', { cause: caught });
  }

  /** An `invalid` error with field errors. */
  static invalid(details: FieldErrors): AppError {
    return new AppError('invalid', 'The request is invalid.', { details });
  }
}
