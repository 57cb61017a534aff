import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { streams } from '@stechuhr/contracts';
import type { Outcome, RunInput } from '../../harness/types.js';
import type { MadeEvent } from './made-events.js';

const WINDOW = 256;

/** Connects a NATS client with the same configuration as in libs/bus. */
export function connectClient({ values }: RunInput): Promise<NatsConnection> {
  return connect({ servers: String(values['servers']), noAsyncTraces: true });
}

/** Publishes events with up to 256 messages in flight. */
export async function publishAll(client: JetStreamClient, events: readonly MadeEvent[]): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let made = events[(next += 1) - 1]; made !== undefined; made = events[(next += 1) - 1]) {
      await client.publish(made.subject, made.payload, { msgID: made.event.id });
    }
  };
  await Promise.all(Array.from({ length: WINDOW }, lane));
}

/** Returns the rate of a publisher. The digest is the number of its events that the stream has stored. */
export async function publishOutcome(input: RunInput, filterSubject: string, ms: number): Promise<Outcome> {
  const values = { wallMs: ms, eventsPerSecond: (input.size / ms) * 1000 };
  return input.checking ? { digest: await storedEvents(input, filterSubject), values } : { values };
}

async function storedEvents(input: RunInput, filterSubject: string): Promise<string> {
  const connection = await connectClient(input);
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(streams.events.name, { subjects_filter: filterSubject });
  await connection.close();
  const stored = Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
  return `${stored} events`;
}

/** Publishes the events that a consumer is going to read. */
export async function publishBefore(input: RunInput, events: readonly MadeEvent[]): Promise<void> {
  const connection = await connectClient(input);
  await publishAll(jetstream(connection), events);
  await connection.close();
}
