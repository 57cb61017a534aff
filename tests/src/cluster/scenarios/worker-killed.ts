import { waitFor } from '@stechuhr/testing';
import { query } from '../../support/http.js';
import { askForTask, download, finishedTask } from '../../support/tasks.js';
import { longExport } from '../load/long-export.js';
import { killed } from '../platform/on-nodes.js';
import { podOf, podsOf, restartsOf, settled } from '../platform/pods.js';
import type { Platform } from '../platform/platform.js';
import { insist, type Scenario } from './scenario.js';

const EXPORTS = 12;

/** A lost job is detected when its lease of 30 s has expired, and then run by another worker. */
const DONE_MS = 240_000;

export const workerKilled: Scenario = {
  name: 'workers killed by SIGKILL in the middle of exports: each completes, once',
  async run(platform) {
    const before = await restartsOf(platform, 'worker');
    const addresses = Array.from({ length: EXPORTS }, (_, n) => addressOf(platform, n));
    const tasks = await Promise.all(addresses.map((address) => askForTask(address, platform.token)));
    const ids = tasks.map(({ id }) => id);
    await waitFor(async () => (await stateOf(platform, ids)).some(({ status }) => status === 'in_progress'), { timeoutMs: 60_000 });
    for (const { metadata } of await podsOf(platform, 'worker')) await killed(platform, metadata.name);
    await waitFor(async () => (await restartsOf(platform, 'worker')) > before, { timeoutMs: 60_000 });
    await settled(platform);
    const files = await Promise.all(addresses.map((address) => finishedTask(address, platform.token, DONE_MS)));
    for (const { target } of files) insist((await download(target)).status === 200, `there is no file at ${target}`);
    const lost = (await stateOf(platform, ids)).filter(({ lost_leases }) => lost_leases > 0).length;
    insist(lost > 0, 'no export was under way when the workers were killed');
    const finished = await finishedEvents(platform, ids);
    insist(finished.length === EXPORTS && new Set(finished).size === EXPORTS, `${EXPORTS} exports, ${finished.length} times finished`);
    return { requests: EXPORTS, failed: 0, note: `${lost} were begun again` };
  },
};

/** Returns the URL of the n-th export. Each has a different first day, so that it creates its own task. */
function addressOf({ gateway }: Platform, n: number): string {
  return `${gateway}/api/v2/exports/multi/?${query({ ...longExport(n), is_async: 'true' })}`;
}

interface TaskState {
  readonly status: string;
  readonly lost_leases: number;
}

async function stateOf(platform: Platform, ids: readonly string[]): Promise<readonly TaskState[]> {
  const script = `
    import mongoose from 'mongoose';
    const connection = await mongoose.createConnection(process.env.MONGODB_URL, { dbName: 'stechuhr_tasks' }).asPromise();
    const found = await connection.collection('tasks').find({ _id: { $in: ${JSON.stringify(ids)} } }).toArray();
    console.log(JSON.stringify(found.map(({ status, lost_leases }) => ({ status, lost_leases }))));
    await connection.close();`;
  return JSON.parse(await platform.kube.node(await podOf(platform, 'tasks'), script)) as TaskState[];
}

/** Returns the ids in the task-finished events that subscribers received, including duplicates. */
async function finishedEvents({ kube }: Platform, ids: readonly string[]): Promise<readonly string[]> {
  const toolbox = ['exec', 'deployment/stechuhr-toolbox', '--', '/nodejs/bin/node', 'main.js'];
  const printed = await kube.run([...toolbox, 'events', 'replay', '--type', 'tasks.task.finished', '--since', '1h']);
  const events = printed.split('\n').filter((line) => line !== '');
  return events.map((line) => (JSON.parse(line) as { data: { id: string } }).data.id).filter((id) => ids.includes(id));
}
