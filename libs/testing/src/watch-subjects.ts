import { connect } from '@nats-io/transport-node';
import { waitFor } from './wait-for.js';

/** A message observed on the bus. */
export interface SeenMessage {
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything published while watching. */
export interface SubjectWatch {
  /**
   * Messages in the order of arrival without duplicates, like in a stream: a publisher that did not receive an acknowledgement publishes
   * again with the same id.
   */
  readonly messages: readonly SeenMessage[];
  /** All messages including duplicates. */
  readonly all: readonly SeenMessage[];
  /** Returns the first message that matches, waiting for it if necessary. */
  next(fits: (message: SeenMessage) => boolean): Promise<SeenMessage>;
  /** Resolves when everything has arrived that the server had when it was called. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Observes published messages without a consumer on a stream.
 *
 * @param subject may contain wildcards: `stechuhr.events.>`
 */
export async function watchSubjects(natsUrl: string, subject: string): Promise<SubjectWatch> {
  const connection = await connect({ servers: natsUrl.split(',') });
  const messages: SeenMessage[] = [];
  const all: SeenMessage[] = [];
  const ids = new Set<string>();
  connection.subscribe(subject, {
    callback: (_error, message) => {
      const headers = Object.fromEntries((message.headers?.keys() ?? []).map((key) => [key, message.headers?.get(key) ?? '']));
      const seen = { subject: message.subject, text: message.string(), headers };
      all.push(seen);
      const id = headers['Nats-Msg-Id'];
      if (id === undefined || !ids.has(id)) messages.push(seen);
      if (id !== undefined) ids.add(id);
    },
  });
  // The subscription is active when the server has responded to a later request.
  await connection.flush();
  return {
    messages,
    all,
    next: (fits) => waitFor(() => messages.find(fits)),
    settled: () => connection.flush(),
    stop: () => connection.close(),
  };
}
