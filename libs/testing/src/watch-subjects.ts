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
  /** In the order of arrival. */
  readonly messages: readonly SeenMessage[];
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
  connection.subscribe(subject, {
    callback: (_error, message) => {
      const headers = Object.fromEntries((message.headers?.keys() ?? []).map((key) => [key, message.headers?.get(key) ?? '']));
      messages.push({ subject: message.subject, text: message.string(), headers });
    },
  });
  // The subscription stands when the server has answered what followed it.
  await connection.flush();
  return {
    messages,
    next: (fits) => waitFor(() => messages.find(fits)),
    settled: () => connection.flush(),
    stop: () => connection.close(),
  };
}
