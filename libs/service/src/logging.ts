import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, type Logger as PinoLogger, type LoggerOptions } from 'pino';
import { framesOf, REDACTED, withoutInput } from './redaction.js';

/** The logger of a process (pino): structured fields first, the sentence second. */
export type Logger = PinoLogger;

// A field of one of these names holds a secret wherever it appears; pino's wildcards reach one level each.
const SECRET_FIELDS = ['authorization', 'Authorization', 'token', 'password', 'secret', 'signature', 'cookie', 'presigned_url'];
const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * Creates the logger of a process: JSON lines on stdout, each with the trace and span it was written in, secrets replaced by `[redacted]`.
 *
 * @param service name of the service, on every line
 * @param level pino level, `info` by default
 */
export function createLogger(service: string, level = 'info'): Logger {
  // Written synchronously: otherwise the line that says why a process ended would sometimes be lost with it.
  return pino(loggerOptions(service, level), pino.destination({ dest: 1, sync: true }));
}

/** How the lines of a service look. */
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

/** The logger without its search for secrets, which costs more than the rest of a line: for lines of a closed list of harmless fields. */
export function withoutRedaction(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

function traceFields(): object {
  const context = trace.getActiveSpan()?.spanContext();
  return context !== undefined && isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
}

/**
 * What of an error is logged. Drivers hang whole documents and commands on their errors, so fields are named here, never copied; messages
 * may repeat their input, so that is left out.
 */
function describeError(caught: unknown): unknown {
  if (!(caught instanceof Error)) return caught;
  const code = 'code' in caught ? { code: caught.code } : {};
  const cause = caught.cause === undefined ? {} : { cause: describeError(caught.cause) };
  const message = withoutInput(caught.message);
  return { type: caught.name, message, ...code, stack: `${caught.name}: ${message}${framesOf(caught.stack)}`, ...cause };
}
