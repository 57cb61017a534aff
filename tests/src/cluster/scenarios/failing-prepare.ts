import { underLoad } from '../load/traffic.js';
import { podsOf, services, settled } from '../platform/pods.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

export const failingPrepare: Scenario = {
  name: 'upgrade whose preparation fails: the old version goes on serving',
  async run(platform) {
    const { release, values, images } = platform;
    const broken = values({}, { ...images, ...(await platform.brokenImage()) });
    const before = await uids();
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        const answer = await release.upgrade(broken).then(
          () => 'Helm says that the upgrade went well',
          (error: Error) => error.message,
        );
        insist(answer.includes('pre-upgrade hooks failed'), answer);
      }),
    );
    insist((await release.revision()).status === 'failed', 'the release does not say that the upgrade failed');
    insist((await uids()) === before, 'pods were replaced although the preparation failed');
    // The documented solution: an upgrade whose preparation succeeds.
    await release.upgrade(values());
    await settled(platform);
    return outcome;

    async function uids(): Promise<string> {
      const pods = await podsOf(platform, ...services);
      return pods
        .map(({ metadata }) => metadata.uid)
        .sort()
        .join();
    }
  },
};
