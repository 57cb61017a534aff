import { JetStreamApiError, type ApiError } from '@nats-io/jetstream';
import {
  ClosedConnectionError,
  createInbox,
  PermissionViolationError,
  TimeoutError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { shownSubject } from '@stechuhr/contracts';

/**
 * Publishes a message and waits until its stream has stored it.
 *
 * @throws NoStreamError, JetStreamApiError if the stream refuses it, or an error of the client if there is no acknowledgement in time
 */
export type PublishAcknowledged = (subject: string, payload: Uint8Array | string, headers: MsgHdrs) => Promise<void>;

/** Currently no stream accepts messages with this subject. */
export class NoStreamError extends Error {
  override readonly name = 'NoStreamError';
}

interface Unacknowledged {
  readonly subject: string;
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

interface Acknowledgement {
  readonly stream?: string;
  readonly error?: ApiError;
}

/** How long a stream may take to acknowledge a message. */
export const ACK_TIMEOUT_MS = 5_000;
const NO_RESPONDERS = 503;

/**
 * Creates the function that publishes on a connection. The client's own function creates an error with a stack trace, a timer, a decoder and
 * several promises for each message, which together cost more than the message.
 *
 * @param inboxPrefix beginning of the subjects on which the user may receive replies
 */
export function acknowledgedPublisher(connection: NatsConnection, inboxPrefix?: string): PublishAcknowledged {
  const inbox = createInbox(inboxPrefix);
  // In the order of their deadlines.
  const pending = new Map<string, Unacknowledged>();
  let timer: NodeJS.Timeout | undefined;
  let published = 0;
  const rejectAll = (reason: Error): void => {
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
  };
  const expire = (): void => {
    const now = performance.now();
    timer = undefined;
    for (const [token, { deadline, reject }] of pending) {
      if (deadline > now) {
        timer = setTimeout(expire, deadline - now);
        return;
      }
      pending.delete(token);
      reject(new TimeoutError());
    }
  };
  const acknowledge = (failure: Error | null, message: Msg): void => {
    if (failure !== null) return rejectAll(failure);
    const token = message.subject.slice(inbox.length + 1);
    const one = pending.get(token);
    const answer = one && answerIn(message, one);
    // A subscriber may answer as well, which says nothing about the stream.
    if (one === undefined || answer === undefined) return;
    pending.delete(token);
    if (answer === 'stored') one.resolve();
    else one.reject(answer);
  };
  const refuse = (violation: PermissionViolationError): void => {
    for (const [token, { subject, reject }] of pending) {
      if (violation.operation !== 'publish' || violation.subject !== subject) continue;
      pending.delete(token);
      return reject(violation);
    }
  };
  let isOpen = false;
  const open = (): void => {
    connection.subscribe(`${inbox}.*`, { callback: acknowledge });
    void watchPermissions(connection, refuse);
    void connection.closed().then(() => {
      clearTimeout(timer);
      rejectAll(new ClosedConnectionError());
    });
    isOpen = true;
  };
  return (subject, payload, headers) => {
    if (!isOpen) open();
    const token = (published += 1).toString(36);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    connection.publish(subject, payload, { headers, reply: `${inbox}.${token}` });
    pending.set(token, { subject, deadline: performance.now() + ACK_TIMEOUT_MS, resolve, reject });
    timer ??= setTimeout(expire, ACK_TIMEOUT_MS);
    return promise;
  };
}

/** The server answers a forbidden publication with an error that only names its subject. */
async function watchPermissions(connection: NatsConnection, refuse: (violation: PermissionViolationError) => void): Promise<void> {
  for await (const status of connection.status())
    if (status.type === 'error' && status.error instanceof PermissionViolationError) refuse(status.error);
}

/** Returns what the stream has answered, or why it could not; undefined if the answer is not from a stream. */
function answerIn(message: Msg, { subject }: Unacknowledged): 'stored' | Error | undefined {
  if (message.data.length === 0 && message.headers?.code === NO_RESPONDERS)
    return new NoStreamError(`No stream accepts ${shownSubject(subject)}.`);
  const { stream, error } = acknowledgementIn(message);
  if (typeof error?.code === 'number') return new JetStreamApiError(error);
  return typeof stream === 'string' && stream !== '' ? 'stored' : undefined;
}

/** An error that is thrown here would end the client's reading of the connection. */
function acknowledgementIn(message: Msg): Acknowledgement {
  try {
    return message.json<Acknowledgement | null>() ?? {};
  } catch {
    return {};
  }
}
