import { connect } from '@nats-io/transport-node';
import { waitFor } from './wait-for.js';

/** A message that was seen on the bus. */
export interface SeenMessage {
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything published while watching. */
export interface SubjectWatch {
  /** In the order of arrival, each once, as a stream keeps them: who could not read the answer of the bus publishes again, under the same id. */
  readonly messages: readonly SeenMessage[];
  /** The same with what was published again. */
  readonly all: readonly SeenMessage[];
  /** The first message that fits, now or within a minute. */
  next(fits: (message: SeenMessage) => boolean): Promise<SeenMessage>;
  /** Until all has arrived that the server had when it was called. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Watches what is published, without a consumer on a stream.
 *
 * @param subject may have wildcards: `stechuhr.events.>`
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
  // The subscription stands when the server has answered what followed it.
  await connection.flush();
  return {
    messages,
    all,
    next: (fits) => waitFor(() => messages.find(fits)),
    settled: () => connection.flush(),
    stop: () => connection.close(),
  };
}
