import { jetstream } from '@nats-io/jetstream';
import type { Run } from '../../../harness/types.js';
import { connectClient, publishAll, publishOutcome } from '../connection.js';
import { madeEvents } from '../made-events.js';

/** What the client can do at its best. */
export const run: Run = async (input) => {
  const connection = await connectClient(input);
  const { events, filterSubject } = madeEvents(input.size);
  const startedAt = performance.now();
  await publishAll(jetstream(connection), events);
  const ms = performance.now() - startedAt;
  await connection.close();
  return publishOutcome(input, filterSubject, ms);
};
