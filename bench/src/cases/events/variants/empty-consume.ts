import { randomUUID } from 'node:crypto';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { streams } from '@stechuhr/contracts';
import type { Run } from '../../../harness/types.js';
import { connectClient, publishBefore } from '../connection.js';
import { Consumed } from '../consumed.js';
import { madeEvents } from '../made-events.js';

/** The bare loop of the client: receives, counts and acknowledges messages without decoding them. */
export const run: Run = async (input) => {
  const { events, filterSubject } = madeEvents(input.size);
  await publishBefore(input, events);
  const connection = await connectClient(input);
  const manager = await jetstreamManager(connection);
  const durable_name = `bench-${randomUUID()}`;
  const consumed = new Consumed(input);
  await manager.consumers.add(streams.events.name, { durable_name, filter_subject: filterSubject, ack_policy: AckPolicy.Explicit, max_ack_pending: 50_000 }); // prettier-ignore
  const consumer = await jetstream(connection).consumers.get(streams.events.name, durable_name);
  const messages = await consumer.consume();
  let left = events.length;
  for await (const message of messages) {
    consumed.add(input.checking ? message.json() : EMPTY);
    message.ack();
    left -= 1;
    if (left === 0) break;
  }
  await connection.drain();
  return consumed.outcome();
};

const EMPTY = { subject: '' };
