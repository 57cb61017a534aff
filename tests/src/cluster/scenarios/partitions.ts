import { randomUUID } from 'node:crypto';
import { partitionedStreams } from '@stechuhr/contracts';
import { waitFor } from '@stechuhr/testing';
import { underLoad } from '../load/traffic.js';
import { streamsOf, type Stream } from '../platform/bus.js';
import type { Platform } from '../platform/platform.js';
import { RELEASE } from '../platform/release.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

const SERVER = 'stechuhr-nats-0';
const PARTITIONS = 2;
/** For how long objects are sent, at least; the upgrade takes place meanwhile. */
const SECONDS = 60;
const HANDLED_MS = 60_000;
/** Pause of each publisher after an object: together they send some twenty a second, since the load needs the machine. */
const PAUSE_MS = 500;
/** Enough that each partition has some. */
const institutions = Array.from({ length: 12 }, () => randomUUID());

export const partitionsIntroduced: Scenario = {
  name: 'events and live objects distributed over two streams each, under load',
  async run(platform) {
    const { kube, release } = platform;
    const streams = Object.fromEntries(Object.keys(partitionedStreams).map((name) => [name, { partitions: PARTITIONS }]));
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        const sent = rename(platform, 'during', SECONDS);
        await release.upgrade(platform.values({ nats: { streams } }));
        await sent;
      }),
    );
    const before = await streamsOf(kube, SERVER);
    for (const name of Object.values(partitionedStreams).flatMap((one) => one.streams({ streams: PARTITIONS })))
      insist(before.find((stream) => stream.name === name)?.config.num_replicas === 3, `${name} has no three copies`);
    await rename(platform, 'after', 0);
    await waitFor(async () => (await namesNow(platform)).every((name) => name === 'after'), { timeoutMs: HANDLED_MS });
    const after = await streamsOf(kube, SERVER);
    const sequenceIn = (streams: readonly Stream[], name: string): number =>
      streams.find((stream) => stream.name === name)?.state.last_seq ?? 0;
    for (const name of partitionedStreams.ingest.streams({ streams: PARTITIONS }))
      insist(sequenceIn(after, name) > sequenceIn(before, name), `${name} has got no objects`);
    return outcome;
  },
};

/**
 * Sends new names of the institutions as live objects, again and again for some seconds, then the name itself. Each object is repeated until NATS has
 * acknowledged it, as publishers do.
 */
async function rename({ kube }: Platform, name: string, seconds: number): Promise<void> {
  const script = `
    import { connectBus } from '@stechuhr/bus';
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const bus = await connectBus({ servers: process.env.NATS_URL, name: 'publisher', logger });
    const send = async (id, name) => {
      const object = { kind: 'institution', id, institution_id: id, name, absence_types: [] };
      const publish = () => bus.publish('stechuhr.ingest.' + id + '.institution', JSON.stringify(object)).then(() => true, () => false);
      while (!(await publish())) await pause(100);
    };
    const end = Date.now() + ${String(seconds * 1_000)};
    await Promise.all(${JSON.stringify(institutions)}.map(async (id) => {
      for (let number = 0; Date.now() < end; number += 1, await pause(${String(PAUSE_MS)})) await send(id, '${name} ' + number);
      await send(id, '${name}');
    }));
    await bus.close();`;
  await kube.node(`deployment/${RELEASE}-toolbox`, script);
}

async function namesNow({ kube }: Platform): Promise<readonly string[]> {
  const script = `
    import mongoose from 'mongoose';
    const connection = await mongoose.createConnection(process.env.MONGODB_URL, { dbName: 'stechuhr_records' }).asPromise();
    const found = await connection.collection('institutions').find({ _id: { $in: ${JSON.stringify(institutions)} } }).toArray();
    console.log(JSON.stringify(found.map(({ name }) => name)));
    await connection.close();`;
  const names = JSON.parse(await kube.node(`deployment/${RELEASE}-records`, script)) as string[];
  return names.length === institutions.length ? names : ['not all'];
}
