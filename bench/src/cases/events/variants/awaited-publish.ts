import { jetstream } from '@nats-io/jetstream';
import type { Run } from '../../../harness/types.js';
import { connectClient, publishOutcome } from '../connection.js';
import { madeEvents } from '../made-events.js';

/** Publishes sequentially, awaiting each acknowledgement before the next event. */
export const run: Run = async (input) => {
  const connection = await connectClient(input);
  const client = jetstream(connection);
  const { events, filterSubject } = madeEvents(input.size);
  const startedAt = performance.now();
  for (const { subject, payload, event } of events) await client.publish(subject, payload, { msgID: event.id });
  const ms = performance.now() - startedAt;
  await connection.close();
  return publishOutcome(input, filterSubject, ms);
};
