import { parseArgs } from 'node:util';
import { withProgress } from '@stechuhr/local-infra';
import { findCluster } from './cluster/find.js';
import type { ClusterProvider } from './cluster/provider.js';
import { buildImages } from './images/current.js';
import { openPlatform } from './platform/open.js';
import type { Platform } from './platform/platform.js';
import { whatToLookAt } from './platform/diagnosis.js';
import { countsOf, tableOf, type Line } from './report.js';
import { scenarios } from './scenarios/index.js';
import { Broken, type Scenario } from './scenarios/scenario.js';

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const OPTIONS = {
  brief: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  reuse: { type: 'boolean', default: false },
} as const;

/**
 * `npm run check:cluster [-- words] [--brief] [--list] [--reuse]`: with words only the scenarios whose names have one of them, after the
 * first; `--brief` leaves out what depends on the machine's speed; `--list` names the scenarios; `--reuse` runs them in the installation that an
 * earlier run left.
 */
async function main(args: readonly string[]): Promise<number> {
  const { values, positionals: words } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const isWanted = ({ name, brief = false }: Scenario): boolean =>
    words.length > 0 ? words.some((word) => name.includes(word)) : brief || !values.brief;
  const chosen = scenarios.filter(isWanted);
  if (values.list) {
    for (const { name } of chosen) process.stdout.write(`${name}\n`);
    return 0;
  }
  if (chosen.length === 0) {
    log(`No scenario has one of these words: ${words.join(', ')}. There are:\n${scenarios.map(({ name }) => `  ${name}`).join('\n')}`);
    return 2;
  }
  const cluster = await findCluster(log);
  if (cluster === undefined) {
    log('No cluster: skipped. Set KUBECONFIG, or install kind or k3d beside Docker (tests/src/cluster/README.md).');
    return 0;
  }
  log(`cluster: ${cluster.name}`);
  const wanted = scenarios.filter((scenario, index) => (index === 0 && !chosen.every(({ alone }) => alone)) || isWanted(scenario));
  const alone = wanted.every((scenario) => scenario.alone);
  const lines = await tried(cluster, wanted, { reuse: values.reuse, ...(alone && { programs: ['cli'] }) });
  if (lines === undefined) {
    log(`${cluster.name} runs no pod that can be reached, made anew neither: skipped. What it said is above.`);
    return 0;
  }
  process.stdout.write(`${tableOf(lines)}\n${countsOf(lines)}\n`);
  return lines.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}

/** How the platform is come by. */
interface Opening {
  /** In the installation that an earlier run left. */
  readonly reuse: boolean;
  /** Those whose images are made, where not all are needed. */
  readonly programs?: readonly string[];
}

async function tried(cluster: ClusterProvider, wanted: readonly Scenario[], opening: Opening): Promise<readonly Line[] | undefined> {
  try {
    const platform = await usable(cluster, opening);
    if (platform === undefined) return undefined;
    const lines: Line[] = [];
    for (const scenario of wanted) {
      const line = await lineOf(scenario, platform);
      lines.push(line);
      // Without an installation there is nothing to try.
      if (scenario === scenarios[0] && line.verdict === 'failed') break;
      if (line.verdict === 'failed' && scenario.alone !== true)
        await platform.release.upgrade(platform.values()).catch((error: Error) => log(error.message));
    }
    await platform.release.close();
    return lines;
  } finally {
    await cluster.close();
  }
}

/**
 * The platform in a cluster that can run a pod. One that this test made and that cannot is made anew, once; undefined when that did not help:
 * it is then the machine that has no cluster, and nothing of ours that failed. A cluster of somebody's own is left as it is.
 */
async function usable(cluster: ClusterProvider, opening: Opening): Promise<Platform | undefined> {
  try {
    return await opened(cluster, opening);
  } catch (error) {
    if (cluster.renew === undefined) throw error;
    log(`${(error as Error).message}\nmaking the cluster anew`);
    await cluster.renew();
  }
  return opened(cluster, { ...opening, reuse: false }).catch((error: Error) => void log(error.message));
}

async function opened(cluster: ClusterProvider, { reuse, programs }: Opening): Promise<Platform> {
  const images = await buildImages(cluster, log, programs);
  await withProgress(log, 'bringing the images to the nodes', () => cluster.load(Object.values(images)));
  return openPlatform(cluster, images, { reuse, log });
}

async function lineOf(scenario: Scenario, platform: Platform): Promise<Line> {
  const { name } = scenario;
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  const reason = await scenario.unless?.(platform);
  if (reason !== undefined) return { name, verdict: 'skipped', seconds: seconds(), note: reason };
  log(`… ${name}`);
  try {
    const outcome = await scenario.run(platform);
    log(`✓ ${name} ${seconds().toFixed(1)} s`);
    return { name, verdict: 'passed', seconds: seconds(), ...outcome };
  } catch (caught) {
    const line: Line = { name, verdict: 'failed', seconds: seconds(), ...(caught instanceof Broken ? caught.outcome : {}) };
    log(
      `✗ ${name} ${seconds().toFixed(1)} s\n${caught instanceof Error ? caught.message : String(caught)}\n${await whatToLookAt(platform)}`,
    );
    return line;
  }
}

process.exitCode = await main(process.argv.slice(2));
