import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { streams } from '@stechuhr/contracts';
import type { Outcome, RunInput } from '../../harness/types.js';
import type { MadeEvent } from './made-events.js';

const WINDOW = 256;

/** The client of NATS as libs/bus configures it. */
export function connectClient({ values }: RunInput): Promise<NatsConnection> {
  return connect({ servers: String(values['servers']), noAsyncTraces: true });
}

/** Publishes with so many messages in flight. */
export async function publishAll(client: JetStreamClient, events: readonly MadeEvent[]): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let made = events[(next += 1) - 1]; made !== undefined; made = events[(next += 1) - 1]) {
      await client.publish(made.subject, made.payload, { msgID: made.event.id });
    }
  };
  await Promise.all(Array.from({ length: WINDOW }, lane));
}

/** The rate of a publisher, and as digest how many of its events the stream has stored. */
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

/** Fills the stream with events for a consumer. */
export async function publishBefore(input: RunInput, events: readonly MadeEvent[]): Promise<void> {
  const connection = await connectClient(input);
  await publishAll(jetstream(connection), events);
  await connection.close();
}
