import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, type Logger as PinoLogger, type LoggerOptions } from 'pino';
import { framesOf, REDACTED, withoutInput } from './redaction.js';

/** The logger of a process (pino): structured fields first, then the sentence. */
export type Logger = PinoLogger;

// Fields with these names contain secrets wherever they appear; pino's wildcards match one level each.
const SECRET_FIELDS = ['authorization', 'Authorization', 'token', 'password', 'secret', 'signature', 'cookie', 'presigned_url'];
const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * Creates the logger of a process: JSON lines on stdout, each with the current trace and span, and with secrets replaced by `[redacted]`.
 * @param service name of the service, on every line
 * @param level pino level, `info` by default
 */
export function createLogger(service: string, level = 'info'): Logger {
  // Written synchronously: otherwise the line that says why a process ended could be lost.
  return pino(loggerOptions(service, level), pino.destination({ dest: 1, sync: true }));
}

/** The options for a service's log lines. */
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

/** The logger without redaction, which costs more than the rest of a line: for lines of a fixed list of harmless fields. */
export function withoutRedaction(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

function traceFields(): object {
  const context = trace.getActiveSpan()?.spanContext();
  return context !== undefined && isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
}

/**
 * The loggable parts of an error. Drivers attach whole documents and commands to their errors, so fields are selected explicitly; quoted input in
 * messages is removed.
 */
function describeError(caught: unknown): unknown {
  if (!(caught instanceof Error)) return caught;
  const code = 'code' in caught ? { code: caught.code } : {};
  const cause = caught.cause === undefined ? {} : { cause: describeError(caught.cause) };
  const message = withoutInput(caught.message);
  return { type: caught.name, message, ...code, stack: `${caught.name}: ${message}${framesOf(caught.stack)}`, ...cause };
}
