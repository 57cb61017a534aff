import type { Run } from '../../../harness/types.js';
import { publishOutcome } from '../connection.js';
import { madeEvents } from '../made-events.js';
import { connectOurBus } from '../our-bus.js';

/** Publishes all events at once; the bus limits the number of messages in flight. */
export const run: Run = async (input) => {
  const bus = await connectOurBus(input);
  const { events, filterSubject } = madeEvents(input.size);
  const startedAt = performance.now();
  await Promise.all(events.map(({ subject, payload, event }) => bus.publish(subject, payload, { msgId: event.id })));
  const ms = performance.now() - startedAt;
  await bus.close();
  return publishOutcome(input, filterSubject, ms);
};
