import { meansUnavailable } from './unavailable.js';

/** Why an operation did not do what was asked; the edges translate it (gRPC status, HTTP answer, ack decision of the bus). */
export type AppErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition'
  | 'rate_limited'
  | 'unimplemented'
  | 'unavailable'
  | 'internal';

/**
 * The body of a 400 in the shape of Django REST framework: field names to messages, `non_field_errors` for cross-field problems, nested
 * lists with their positions kept.
 */
export interface FieldErrors {
  readonly [field: string]: readonly string[] | readonly FieldErrors[];
}

interface AppErrorOptions {
  /** Field errors of an `invalid`; they become the body of the answer. */
  readonly details?: FieldErrors;
  /** The true cause, for logs only; never sent to a client. */
  readonly cause?: unknown;
  /** Of an `unavailable`: only a record is, so that others can be written. */
  readonly isOfRecord?: boolean;
}

/** The one error that operations throw. Its message is public: it may reach a client word for word. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  readonly details: FieldErrors | undefined;
  /** Of an `unavailable`: only a record is, so that others can be written. */
  readonly isOfRecord: boolean;

  constructor(code: AppErrorCode, publicMessage: string, options: AppErrorOptions = {}) {
    super(publicMessage, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.isOfRecord = options.isOfRecord ?? false;
  }

  /**
   * Normalises anything caught: an AppError stays itself, an error of a driver whose server is unreachable is `unavailable`, everything
   * else is `internal`, with the original as its cause.
   */
  static from(caught: unknown): AppError {
    if (caught instanceof AppError) return caught;
    return meansUnavailable(caught)
      ? new AppError('unavailable', 'A service is not available.', { cause: caught })
      : new AppError('internal', 'Internal error.', { cause: caught });
  }

  /** An `invalid` whose details name the fields. */
  static invalid(details: FieldErrors): AppError {
    return new AppError('invalid', 'The request is invalid.', { details });
  }
}
