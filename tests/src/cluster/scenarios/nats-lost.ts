import { waitFor } from '@stechuhr/testing';
import { query } from '../../support/http.js';
import { askForTask, finishedTask } from '../../support/tasks.js';
import { underLoad } from '../load/traffic.js';
import { streamsOf, type Stream } from '../platform/bus.js';
import type { Platform } from '../platform/platform.js';
import { insist, type Scenario } from './scenario.js';
import { undisturbed } from './undisturbed.js';

const LOST = 'stechuhr-nats-1';
const EXPORTS = 10;
const CAUGHT_UP_MS = 180_000;

export const natsLost: Scenario = {
  name: 'one of three NATS servers lost with its volume, under load',
  async run(platform) {
    const { kube } = platform;
    const before = await streamsOf(kube, LOST);
    insist(before.length > 0 && before.every(({ config }) => config.num_replicas === 3), 'the streams have no three copies');
    const outcome = undisturbed(
      await underLoad(platform, async () => {
        await kube.run(['delete', `persistentvolumeclaim/data-${LOST}`, '--wait=false']);
        await kube.run(['delete', 'pod', LOST, '--grace-period', '0', '--force']);
        const addresses = Array.from({ length: EXPORTS }, (_, n) => exportOf(platform, n));
        for (const address of addresses) await askForTask(address, platform.token);
        for (const address of addresses) await finishedTask(address, platform.token, CAUGHT_UP_MS);
        await kube.run(['rollout', 'status', 'statefulset/stechuhr-nats', '--timeout', '5m']);
        await waitFor(async () => hasAll(await streamsOf(kube, LOST), before), { timeoutMs: CAUGHT_UP_MS });
      }),
    );
    return outcome;
  },
};

/** Returns whether a server has all streams again, with at least the messages that they had before. */
function hasAll(now: readonly Stream[], before: readonly Stream[]): boolean {
  return before.every(({ name, state }) => now.some((stream) => stream.name === name && stream.state.last_seq >= state.last_seq));
}

function exportOf({ gateway }: Platform, n: number): string {
  const daterange = `2026-02-01|2026-02-${String(n + 1).padStart(2, '0')}`;
  return `${gateway}/api/v2/exports/generic/?${query({ daterange, is_async: 'true' })}`;
}
