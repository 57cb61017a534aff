import { underLoad } from '../load/traffic.js';
import { nextIndex } from '../images/next.js';
import type { Platform } from '../platform/platform.js';
import { allGone } from '../platform/pods.js';
import { RELEASE } from '../platform/release.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

export const upgrade: Scenario = {
  name: 'upgrade to a version with another schema, under load',
  async run(platform) {
    insist(!(await indexes(platform)).includes(nextIndex.name), 'the index of the next version is there already');
    const next = platform.values({}, await platform.nextImages());
    const outcome = undisturbed(await underLoad(platform, () => replaced(platform, () => platform.release.upgrade(next))));
    insist((await indexes(platform)).includes(nextIndex.name), 'the index of the next version was not made');
    return outcome;
  },
};

export const rollback: Scenario = {
  name: 'rollback to the version before, under load',
  async run(platform) {
    const { images, release } = platform;
    const next = await platform.nextImages();
    // If the upgrade scenario failed, the upgrade is repeated, so that there is something to roll back.
    if ((await imageOfRecords(platform)) !== next['records']) await release.upgrade(platform.values({}, next));
    const outcome = undisturbed(await underLoad(platform, () => replaced(platform, () => release.rollback())));
    const now = await imageOfRecords(platform);
    insist(now === images['records'], `records runs ${now} after the rollback`);
    return outcome;
  },
};

/** Runs an action and waits until all replaced pods have ended, because their last responses belong to the scenario. */
async function replaced(platform: Platform, act: () => Promise<void>): Promise<void> {
  await act();
  await allGone(platform);
}

async function imageOfRecords({ kube }: Platform): Promise<string> {
  return (await kube.get('deployment', `${RELEASE}-records`))['spec'].template.spec.containers[0].image as string;
}

async function indexes({ kube }: Platform): Promise<readonly string[]> {
  const script = `
    import mongoose from 'mongoose';
    const connection = await mongoose.createConnection(process.env.MONGODB_URL, { dbName: 'stechuhr_records' }).asPromise();
    console.log(JSON.stringify(Object.keys(await connection.collection('${nextIndex.collection}').indexInformation())));
    await connection.close();`;
  return JSON.parse(await kube.node(`deployment/${RELEASE}-records`, script)) as string[];
}
