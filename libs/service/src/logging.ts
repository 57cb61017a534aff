import { isNativeError } from 'node:util/types';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, type Logger as PinoLogger, type LoggerOptions } from 'pino';
import { AppError, type AppErrorCode } from '@stechuhr/kernel';
import { framesOf, REDACTED, withoutInput } from './redaction.js';

/** The logger of a process (pino): structured fields first, then the message. */
export type Logger = PinoLogger;

// A field with one of these names contains a secret wherever it appears; pino's wildcards match one level each.
const SECRET_FIELDS = ['authorization', 'Authorization', 'token', 'password', 'secret', 'signature', 'cookie', 'presigned_url'];
const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * Creates the logger of a process. It writes JSON lines to stdout, each with the current trace and span, and replaces secrets by
 * `[redacted]`.
 *
 * @param service name of the service, included in every line
 * @param level pino level, `info` by default
 */
export function createLogger(service: string, level = 'info'): Logger {
  // Written synchronously: otherwise the line with the reason why a process ended could be lost.
  return pino(loggerOptions(service, level), pino.destination({ dest: 1, sync: true }));
}

/** Returns the format of the log lines of a service. */
export function loggerOptions(service: string, level: string): LoggerOptions {
  return {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: traceFields,
    redact: { paths: REDACTED_PATHS, censor: REDACTED },
    serializers: { err: describeError, error: describeError },
  };
}

/** Returns the logger without redaction, which takes more time than everything else; only for lines with a fixed set of harmless fields. */
export function withoutRedaction(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

function traceFields(): object {
  const context = trace.getActiveSpan()?.spanContext();
  return context !== undefined && isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
}

/** Errors about what a client or publisher has sent. Their messages are for the sender, and name what was wrong without marking it as a quotation. */
const ABOUT_INPUT = new Set<AppErrorCode>(['invalid', 'not_found', 'conflict', 'precondition']);
/** The statuses of these errors in an answer over gRPC (`status.ts`): INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION. */
const STATUSES_ABOUT_INPUT = new Set([3, 5, 6, 9]);

/**
 * Returns the parts of an error that are logged. Drivers attach whole documents and commands to their errors, so only named fields are
 * copied. Messages may quote their input, which is removed. Of something else that was thrown, only the type is shown.
 */
function describeError(caught: unknown): unknown {
  if (!(caught instanceof Error) && !isNativeError(caught)) return caught === undefined ? undefined : { type: typeof caught };
  const code = 'code' in caught && ['string', 'number'].includes(typeof caught.code) ? { code: caught.code } : {};
  const cause = caught.cause === undefined ? {} : { cause: describeError(caught.cause) };
  const message = isAboutInput(caught) ? REDACTED : withoutInput(caught.message);
  return { type: caught.name, message, ...code, stack: `${caught.name}: ${message}${framesOf(caught.stack)}`, ...cause };
}

function isAboutInput(error: Error): boolean {
  if (error instanceof AppError) return ABOUT_INPUT.has(error.code);
  return 'metadata' in error && 'details' in error && 'code' in error && STATUSES_ABOUT_INPUT.has(Number(error.code));
}
