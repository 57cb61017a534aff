import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../harness/statistics.js';
import type { Run } from '../../harness/types.js';
import { download } from '../download.js';
import { outcomeOf, platformValues, type PlatformValues } from '../measured-download.js';
import { beginUsage, endUsage } from '../service-processes.js';

interface SmallGetValues {
  readonly smallUrl: string;
  /** Whether a file is downloaded at the same time. */
  readonly busy: boolean;
}

const WARM_UP = 200;
const PAUSE_MS = 5;
const IDLE_MS = { quick: 500, full: 5_000 };

/** Sends small GET requests repeatedly over one connection, on an idle platform or while it writes a file. */
export const run: Run = async ({ values, quick }) => {
  const own = platformValues<SmallGetValues>(values);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; n < (quick ? 20 : WARM_UP); n += 1) await smallGet(own, agent);
  const begun = await beginUsage(own.processes);
  let done = false;
  const end = (): void => {
    done = true;
  };
  const busy = own.busy ? download(own) : sleep(quick ? IDLE_MS.quick : IDLE_MS.full, undefined);
  void busy.then(end, end);
  const times: number[] = [];
  while (!done) {
    times.push(await smallGet(own, agent));
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  const latencies = { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), gets: times.length };
  const downloaded = await busy;
  const usages = await endUsage(own.processes, begun);
  const file = downloaded === undefined ? {} : outcomeOf(downloaded, usages).values;
  return { values: { ...file, ...latencies } };
};

async function smallGet({ smallUrl, token }: PlatformValues & SmallGetValues, agent: Agent): Promise<number> {
  const startedAt = performance.now();
  const sent = request(smallUrl, { agent, headers: { authorization: `Token ${token}` } }).end();
  const [response] = await once(sent, 'response');
  if (response.statusCode !== 200) throw new Error(`${smallUrl} was answered with ${response.statusCode}`);
  await once(response.resume(), 'end');
  return performance.now() - startedAt;
}
