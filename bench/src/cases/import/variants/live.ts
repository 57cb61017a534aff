import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectBusAdmin, type BusAdmin } from '@stechuhr/bus';
import { ingestSubject, streams } from '@stechuhr/contracts';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { measuredWork } from '../../../platform/measured-work.js';
import type { ImportValues } from '../case.js';
import { untilPublished } from '../until-published.js';

const POLL_MS = 20;
/** Messages in flight of one publisher. */
const IN_FLIGHT = 256;

/** Publishes the same lines as live objects and waits until the last one has been handled. */
export const run: Run = async ({ values }) => {
  const own = platformValues<ImportValues>(values);
  const bus = await connectBusAdmin({ servers: own.natsUrl, name: 'bench', logger: createLogger('bench', 'warn') });
  const startedAt = performance.now();
  try {
    const outcome = await measuredWork(own, async () => {
      const published = await publishAll(bus, own);
      while ((await bus.stream(streams.ingest.name))?.messages !== 0) await sleep(POLL_MS);
      return published;
    });
    await untilPublished(own);
    return { values: { ...outcome.values, publishedMs: performance.now() - startedAt } };
  } finally {
    await bus.close();
  }
};

async function publishAll(bus: BusAdmin, { file, institutionId }: ImportValues): Promise<number> {
  const inFlight = new Set<Promise<void>>();
  let published = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { kind } = JSON.parse(line) as { readonly kind: string };
    const done: Promise<void> = bus.publish(ingestSubject(institutionId, kind), line).then(() => void inFlight.delete(done));
    inFlight.add(done);
    published += 1;
    // An object must be published after the objects to which it refers, so only workdays are published concurrently.
    while (inFlight.size >= (kind === 'workday' ? IN_FLIGHT : 1)) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
  return published;
}
