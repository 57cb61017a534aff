import { setTimeout as sleep } from 'node:timers/promises';
import { connectBus, connectBusAdmin, prepareBus, SLOT_MAPPING, type BusAdmin } from '@stechuhr/bus';
import { ingestSubject, partitionedStreams, streams } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { Home, startNats } from '@stechuhr/local-infra';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';

const { ingest } = partitionedStreams;
const PUBLISHERS = 4;
const INSTITUTIONS = Array.from({ length: 1_000 }, () => newId());
const OBJECT = 'x'.repeat(600);
const POLL_MS = 5;
const limits = new Map([[streams.ingest.name, { maxBytes: 256 * 1_048_576 }]]);

/** Publishes objects as other systems do, and waits until our consumer has taken all of them. */
export const run: Run = async ({ size, values }) => {
  const home = await Home.temporary();
  const configuration = [
    `jetstream { store_dir: ${JSON.stringify(home.folder('data', 'nats'))}, sync_interval: always }`,
    SLOT_MAPPING,
    '',
  ].join('\n');
  const nats = await startNats({ home, own: true, configuration });
  const options = { servers: nats.address, name: 'bench', logger: createLogger('bench', 'warn') };
  try {
    await prepareBus({ ...options, settings: { limits, partitions: { ingest: Number(values['partitions']) } } });
    const admin = await connectBusAdmin(options);
    const [bus, ...publishers] = await Promise.all(Array.from({ length: PUBLISHERS + 1 }, () => connectBus(options)));
    let taken = 0;
    const consumption = bus?.consume({
      ...{ stream: streams.ingest.name, durable: 'records', filterSubject: 'stechuhr.ingest.>', deadLetter: 'ingest', maxAttempts: 1 },
      ...{ concurrency: 512, readAhead: 48_000, handler: async () => void (taken += 1) },
    });
    const startedAt = performance.now();
    const subject = (at: number): string => ingestSubject(INSTITUTIONS[at % INSTITUTIONS.length] ?? '', 'workday');
    await Promise.all(Array.from({ length: size }, async (_, at) => publishers[at % PUBLISHERS]?.publish(subject(at), OBJECT)));
    const publishedPerSecond = (size * 1_000) / (performance.now() - startedAt);
    while ((await leftIn(admin)) > 0) await sleep(POLL_MS);
    const objectsPerSecond = (size * 1_000) / (performance.now() - startedAt);
    await consumption?.stop();
    await Promise.all([admin.close(), ...[bus, ...publishers].map((one) => one?.close())]);
    return { digest: String(taken), values: { publishedPerSecond, objectsPerSecond } };
  } finally {
    await nats.stop();
    await home.close();
  }
};

async function leftIn(admin: BusAdmin): Promise<number> {
  const { ingest: layout } = await admin.layouts();
  const states = await Promise.all(ingest.streams(layout).map((name) => admin.stream(name)));
  return states.reduce((sum, state) => sum + (state?.messages ?? 0), 0);
}
