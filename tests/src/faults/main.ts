import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCommandLine, UsageError, wholeNumber, type OptionValues } from '@stechuhr/local-infra';
import { openCampaign, holds, type Line } from './campaign.js';
import { shown } from './report.js';
import { scenarios, type Scenario } from './scenarios/index.js';
import { writeDocument } from './document.js';
import { restartWithMounts, hasMounts } from './servers/disks.js';
import { hasVolumes } from './servers/volume.js';
import { CHECKOUT } from './servers/platforms.js';
import type { StageOptions } from './stage.js';

const log = (line: string): void => void process.stdout.write(`${line}\n`);

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  before: { type: 'string' },
  partitions: { type: 'string', default: '1' },
} as const;

const USAGE = `npm run test:faults -- [words] [options]

Tries what happens when something breaks while clients work (docs/faults.md). With words, runs only scenarios whose group is, or whose name
contains, one of them.

  --quick           only the quick ones, which CI runs with the tests
  --list            prints the scenarios
  --write           updates their rows in docs/faults.md
  --before FOLDER   a built checkout of the version before, which one scenario needs
  --partitions N    spreads events and live objects over several streams; 1 by default`;

async function main(values: OptionValues<typeof OPTIONS>, words: readonly string[]): Promise<number> {
  const partitions = wholeNumber('partitions', values.partitions);
  const before = values.before && builtCheckout(values.before);
  const isWanted = ({ group, name, isQuick }: Scenario): boolean =>
    (words.length === 0 || words.some((word) => group === word || name.includes(word))) && (isQuick === true || !values.quick);
  const wanted = scenarios.filter(isWanted);
  if (values.list) {
    for (const { group, name, isQuick } of wanted) log(`${group}: ${name}${isQuick === true ? ' (quick)' : ''}`);
    return 0;
  }
  if (wanted.length === 0) throw new UsageError(`No scenario contains one of these words: ${words.join(', ')}.`);
  if (wanted.some(needsMounts) && !hasMounts()) {
    const code = await restartWithMounts();
    if (code !== undefined) return code;
  }
  const end = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort());
  const lines = await tried(wanted, { before, partitions, end: end.signal });
  if (values.write) await writeDocument(lines);
  const failed = lines.filter((line) => !holds(line)).length;
  log(`${String(lines.length - failed)} of ${String(wanted.length)} scenarios passed`);
  return failed === 0 && !end.signal.aborted ? 0 : 1;
}

function builtCheckout(folder: string): string {
  const path = resolve(folder);
  if (!existsSync(join(path, 'services/gateway/dist/main.js')))
    throw new UsageError(`--before: ${path} is no checkout that was built (npm run build).`);
  return path;
}

const needsMounts = ({ serverSetup }: StageOptions): boolean => serverSetup?.endsWith('small disks') === true || serverSetup === 'volumes';

interface Conditions {
  /** A built checkout of the previous version. */
  readonly before: string | undefined;
  readonly partitions: number;
  /** Ends the campaign. The current scenario is then not evaluated. */
  readonly end: AbortSignal;
}

/** Runs the scenarios. Those with the same replicas and servers share a stage. */
async function tried(wanted: readonly Scenario[], { before, partitions, end }: Conditions): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const own of Map.groupBy(wanted, ({ beside, serverSetup }) => `${String(beside)}, ${String(serverSetup)}`).values()) {
    const { beside, serverSetup } = own[0] ?? {};
    if (end.aborted) break;
    const other = beside === 'itself' ? CHECKOUT : before;
    const names = own.map(({ name }) => name).join(', ');
    if (beside !== undefined && other === undefined) log(`not run without --before: ${names}`);
    else if (needsMounts({ serverSetup }) && !hasMounts())
      log(`not run, because this machine does not allow mounts (which need root or user namespaces): ${names}`);
    else if (serverSetup === 'volumes' && !hasVolumes()) log(`not run, because this machine cannot mount file system images: ${names}`);
    else {
      const checkouts = beside === undefined ? [CHECKOUT] : [CHECKOUT, other ?? ''];
      lines.push(...(await runOnStage({ checkouts, serverSetup, partitions }, own, end)));
    }
  }
  return lines;
}

async function runOnStage(options: StageOptions, wanted: readonly Scenario[], end: AbortSignal): Promise<readonly Line[]> {
  const campaign = await openCampaign(wanted.length, { ...options, signal: end });
  const lines: Line[] = [];
  try {
    const isAborted = (): boolean => end.aborted;
    for (const scenario of wanted) {
      if (isAborted()) break;
      const line = await campaign.run(scenario);
      if (isAborted()) break;
      log(shown(line));
      lines.push(line);
    }
  } finally {
    await campaign.close();
  }
  return lines;
}

await runCommandLine({ usage: USAGE, options: OPTIONS, words: true }, main);
