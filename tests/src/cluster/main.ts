import { runCommandLine, UsageError, withProgress, type OptionValues } from '@stechuhr/local-infra';
import { findCluster } from './cluster/find.js';
import type { ClusterProvider } from './cluster/provider.js';
import { buildImages, type Images } from './images/current.js';
import { openPlatform } from './platform/open.js';
import type { Platform } from './platform/platform.js';
import { diagnose } from './platform/diagnosis.js';
import { countsOf, tableOf, type Line } from './report.js';
import { scenarios } from './scenarios/index.js';
import { Broken, type Scenario } from './scenarios/scenario.js';

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const OPTIONS = {
  brief: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  reuse: { type: 'boolean', default: false },
} as const;

const USAGE = `npm run check:cluster -- [words] [options]

Installs the platform in a cluster and tries it (tests/src/cluster/README.md). With words, runs only the first scenario and those whose names
contain one of them.

  --brief   without the scenarios that depend on the speed of the machine
  --list    prints the scenarios
  --reuse   in the installation of an earlier run`;

async function main(values: OptionValues<typeof OPTIONS>, words: readonly string[]): Promise<number> {
  const isWanted = ({ name, brief = false }: Scenario): boolean =>
    words.length > 0 ? words.some((word) => name.includes(word)) : brief || !values.brief;
  const chosen = scenarios.filter(isWanted);
  if (values.list) {
    for (const { name } of chosen) process.stdout.write(`${name}\n`);
    return 0;
  }
  if (chosen.length === 0) {
    throw new UsageError(
      `No scenario name contains one of these words: ${words.join(', ')}. Scenarios:\n${scenarios.map(({ name }) => `  ${name}`).join('\n')}`,
    );
  }
  const cluster = await findCluster(log);
  if (cluster === undefined) {
    log('No cluster: skipped. Set KUBECONFIG, or install kind or k3d in addition to Docker (tests/src/cluster/README.md).');
    return 0;
  }
  log(`cluster: ${cluster.name}`);
  const wanted = scenarios.filter((scenario, index) => (index === 0 && !chosen.every(({ alone }) => alone)) || isWanted(scenario));
  const alone = wanted.every((scenario) => scenario.alone);
  const lines = await tried(cluster, wanted, { reuse: values.reuse, ...(alone && { programs: ['cli'] }) });
  if (lines === undefined) {
    log(`${cluster.name} cannot run a reachable pod, even after it was recreated: skipped. Its output is above.`);
    return 0;
  }
  process.stdout.write(`${tableOf(lines)}\n${countsOf(lines)}\n`);
  return lines.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}

/** How the platform is opened. */
interface Opening {
  /** Whether the installation of an earlier run is used. */
  readonly reuse: boolean;
  /** Programs whose images are built, if not all are needed. */
  readonly programs?: readonly string[];
}

async function tried(cluster: ClusterProvider, wanted: readonly Scenario[], opening: Opening): Promise<readonly Line[] | undefined> {
  try {
    const platform = await openUsablePlatform(cluster, opening);
    if (platform === undefined) return undefined;
    const lines: Line[] = [];
    for (const scenario of wanted) {
      const line = await lineOf(scenario, platform);
      lines.push(line);
      // Without an installation the other scenarios cannot run.
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
 * Opens the platform in a cluster that can run a pod. If a cluster of this test cannot, it is recreated once. Returns undefined if that
 * does not help, because then the machine is the problem and not the platform. A user's own cluster is never recreated.
 *
 * @throws if images cannot be built, also in the recreated cluster
 */
async function openUsablePlatform(cluster: ClusterProvider, opening: Opening): Promise<Platform | undefined> {
  try {
    return await opened(cluster, opening);
  } catch (error) {
    if (cluster.renew === undefined) throw error;
    log(`${(error as Error).message}\nrecreating the cluster`);
    await cluster.renew();
  }
  const images = await imagesIn(cluster, opening);
  return openPlatform(cluster, images, { reuse: false, log }).catch((error: Error) => void log(error.message));
}

async function opened(cluster: ClusterProvider, opening: Opening): Promise<Platform> {
  return openPlatform(cluster, await imagesIn(cluster, opening), { reuse: opening.reuse, log });
}

/** Builds the images of this checkout and brings them to the nodes. */
async function imagesIn(cluster: ClusterProvider, { programs }: Opening): Promise<Images> {
  const images = await buildImages(cluster, log, programs);
  await withProgress(log, 'bringing the images to the nodes', () => cluster.load(Object.values(images)));
  return images;
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
    log(`✗ ${name} ${seconds().toFixed(1)} s\n${explained(caught)}\n${await diagnose(platform)}`);
    return line;
  }
}

/** Returns the message of an error and of its causes: that of a condition which did not come true says only which one it was. */
function explained(caught: unknown): string {
  if (!(caught instanceof Error)) return String(caught);
  return caught.cause === undefined ? caught.message : `${caught.message}\n${explained(caught.cause)}`;
}

await runCommandLine({ usage: USAGE, options: OPTIONS, words: true }, main);
