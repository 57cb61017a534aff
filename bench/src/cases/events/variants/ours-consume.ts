import { randomUUID } from 'node:crypto';
import { streams } from '@stechuhr/contracts';
import type { Run } from '../../../harness/types.js';
import { publishBefore } from '../connection.js';
import { Consumed } from '../consumed.js';
import { madeEvents } from '../made-events.js';
import { connectOurBus } from '../our-bus.js';

/** The number of concurrent handlers, which decode their events, is the same as in `records`. */
const CONCURRENCY = 16;
const READ_AHEAD = 112;

export const run: Run = async (input) => {
  const { events, filterSubject } = madeEvents(input.size);
  await publishBefore(input, events);
  const bus = await connectOurBus(input);
  const consumed = new Consumed(input);
  const consumption = bus.consume({
    stream: streams.events.name,
    durable: `bench-${randomUUID()}`,
    filterSubject,
    concurrency: CONCURRENCY,
    readAhead: READ_AHEAD,
    deadLetter: 'bench',
    maxAttempts: 3,
    handler: async (message) => consumed.add(message.json()),
  });
  await consumed.all;
  await consumption.stop();
  await bus.close();
  return consumed.outcome();
};
