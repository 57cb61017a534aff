import type { Run } from '../../../harness/types.js';
import { connectClient } from '../connection.js';
import { madeEvents } from '../made-events.js';

const REPEATS = 5;

/** Publishes with core NATS, without storage or acknowledgements. */
export const run: Run = async (input) => {
  const connection = await connectClient(input);
  const { events } = madeEvents(input.size);
  const startedAt = performance.now();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const { payload } of events) connection.publish('bench.core', payload);
    await connection.flush();
  }
  const wallMs = performance.now() - startedAt;
  await connection.close();
  return { values: { wallMs, eventsPerSecond: (events.length * REPEATS * 1000) / wallMs } };
};
