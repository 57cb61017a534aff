import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { publishAll } from '../../events/connection.js';
import { madeEvents } from '../../events/made-events.js';
import type { ImportValues } from '../case.js';
import { writtenMonths } from './floor.js';

const STREAM = { name: 'BENCH_IMPORT', subjects: ['bench.import.>'] };

/**
 * The floor with events: writes the months, then publishes one event per workday from a single process, with many messages in flight, to a
 * stream without consumers.
 */
export const run: Run = async ({ values }) => {
  const own = platformValues<ImportValues & Parameters<typeof writtenMonths>[0]>(values);
  const { wallMs, workdays } = await writtenMonths(own);
  const connection = await connect({ servers: own.natsUrl });
  const { streams } = await jetstreamManager(connection);
  try {
    await streams.add(STREAM);
    const events = madeEvents(workdays).events.map((made) => ({ ...made, subject: `bench.import.${made.subject}` }));
    const startedAt = performance.now();
    await publishAll(jetstream(connection), events);
    const publishedMs = performance.now() - startedAt;
    return { values: { wallMs: wallMs + publishedMs, publishedMs, units: workdays } };
  } finally {
    await streams.delete(STREAM.name);
    await connection.close();
  }
};
