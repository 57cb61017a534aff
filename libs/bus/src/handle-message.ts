import type { JsMsg } from '@nats-io/jetstream';
import { deadLetterSubject, institutionOfSubject, originOf, shownSubject } from '@stechuhr/contracts';
import { AppError, type Logger } from '@stechuhr/kernel';
import type { ConsumeOptions } from './consume-options.js';
import type { CrashGuard } from './crash-guard.js';
import { describeDeadLetter } from './dead-letter.js';
import type { Failures } from './failures.js';
import type { Link } from './link.js';
import { toBusMessage } from './message.js';
import { deadLetters, handled } from './metrics.js';
import type { Publish } from './publish.js';
import { withConsumerSpan } from './tracing.js';
import { judge } from './verdict.js';

/** What handling a message requires. */
export interface HandlingParts extends Pick<ConsumeOptions, 'durable' | 'handler' | 'deadLetter' | 'maxAttempts' | 'backoffMs'> {
  readonly link: Pick<Link, 'connection'>;
  readonly publish: Publish;
  readonly logger: Logger;
  readonly failures: Failures;
  readonly guard: CrashGuard;
}

const DEFAULT_BACKOFF_MS = [1_000, 5_000, 15_000];
const PAUSE_WITHOUT_DEAD_LETTER_MS = 30_000;

/** The message size limit of the server, in bytes. */
export function largestMessage({ link }: Pick<HandlingParts, 'link'>): number {
  return link.connection.info?.max_payload ?? 1_048_576;
}

/**
 * Never rejects: a message without an outcome is redelivered after the ack wait.
 * @returns whether to acknowledge the message
 */
export async function handleMessage(parts: HandlingParts, message: JsMsg): Promise<boolean> {
  const startedAt = performance.now();
  let outcome = 'ok';
  try {
    const handle = () => withConsumerSpan(parts.durable, message, () => parts.handler(toBusMessage(message)));
    await parts.guard.run(message, () => parts.failures.hasReturned(message), handle);
    parts.failures.forget(message);
    return true;
  } catch (caught) {
    outcome = await settleFailure(parts, message, AppError.from(caught)).catch((failure: unknown) => {
      parts.logger.error({ err: failure, subject: shownSubject(message.subject) }, 'a dead letter could not be sent');
      message.nak(PAUSE_WITHOUT_DEAD_LETTER_MS);
      return 'retry';
    });
    return false;
  } finally {
    handled.record((performance.now() - startedAt) / 1000, { durable: parts.durable, outcome });
  }
}

async function settleFailure(parts: HandlingParts, message: JsMsg, error: AppError): Promise<string> {
  const { logger, durable, maxAttempts, backoffMs = DEFAULT_BACKOFF_MS } = parts;
  const deliveries = message.info.deliveryCount;
  const fields = { durable, subject: shownSubject(message.subject), sequence: message.seq, deliveries, code: error.code };
  if (error.code === 'unavailable') parts.failures.addReturned(message);
  else parts.failures.add(message);
  const failures = parts.failures.of(message);
  const verdict = judge(error, { deliveries, failures }, { maxAttempts, backoffMs });
  if (verdict.kind === 'retry') {
    if (error.code === 'internal') logger.error({ ...fields, err: error.cause ?? error }, 'a message failed');
    message.nak(verdict.delayMs);
    return 'retry';
  }
  logger.warn({ ...fields, err: error.cause ?? error }, 'a message became a dead letter');
  await sendDeadLetter(parts, message, error);
  message.term();
  parts.failures.forget(message);
  await parts.guard.forget(message);
  return 'dead';
}

async function sendDeadLetter({ link, publish, deadLetter }: HandlingParts, message: JsMsg, error: AppError): Promise<void> {
  const given = {
    subject: originOf(message.subject),
    payload: message.data,
    reason: reasonOf(error),
    deliveries: message.info.deliveryCount,
    failedAt: Date.now(),
  };
  // The server's limit includes the headers.
  const maxBytes = largestMessage({ link }) - 4_096;
  const letter = JSON.stringify(describeDeadLetter(given, maxBytes));
  const institutionId = institutionOfSubject(message.subject);
  const subject = deadLetterSubject({ origin: deadLetter, institutionId, bytes: Buffer.byteLength(letter), number: message.seq });
  // Includes the storage time, since an older copy of a stream reuses positions.
  const msgId = `dead:${message.info.stream}:${message.seq}:${message.time.getTime()}`;
  await publish(subject, letter, { msgId });
  deadLetters.add(1, { origin: deadLetter });
}

/** Field errors are more specific than the message. */
function reasonOf({ message, details }: AppError): string {
  if (details === undefined) return message;
  return Object.entries(details)
    .map(
      ([field, problems]) =>
        `${field}: ${problems.every((problem) => typeof problem === 'string') ? problems.join(' ') : JSON.stringify(problems)}`,
    )
    .join('; ');
}
