import { jetstream } from '@nats-io/jetstream';
import type { Run } from '../../../harness/types.js';
import { connectClient, publishAll, publishOutcome } from '../connection.js';
import { madeEvents } from '../made-events.js';

/** The maximum rate of the client: 256 messages in flight. */
export const run: Run = async (input) => {
  const connection = await connectClient(input);
  const { events, filterSubject } = madeEvents(input.size);
  const startedAt = performance.now();
  await publishAll(jetstream(connection), events);
  const ms = performance.now() - startedAt;
  await connection.close();
  return publishOutcome(input, filterSubject, ms);
};
