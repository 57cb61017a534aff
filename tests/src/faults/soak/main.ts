import { existsSync } from 'node:fs';
import { runCommandLine, wholeNumber, type OptionValues } from '@stechuhr/local-infra';
import { shown } from '../report.js';
import { scenarios, type Scenario } from '../scenarios/index.js';
import { drawn } from './draw.js';
import { tableOf } from './report.js';
import { soak } from './soak.js';
import { judgeSoak } from './verdict.js';

const log = (line: string): void => void process.stdout.write(`${line}\n`);

const OPTIONS = {
  minutes: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  partitions: { type: 'string', default: '1' },
  calm: { type: 'boolean', default: false },
} as const;

const USAGE = `npm run soak -- [options]

Keeps clients and faults running, and measures what must not grow (docs/faults.md#soak). A signal ends the run after the current fault.

  --minutes N      60 by default
  --seed N         the order of the faults; 1 by default
  --calm           without faults
  --partitions N   spreads events and live objects over several streams; 1 by default`;

async function main(values: OptionValues<typeof OPTIONS>): Promise<number> {
  const [minutes, seed] = [wholeNumber('minutes', values.minutes), wholeNumber('seed', values.seed)];
  const partitions = wholeNumber('partitions', values.partitions);
  if (!existsSync('/proc/self/fd')) throw new Error('The soak reads open files of processes from /proc, so it runs only on Linux.');
  const end = new AbortController();
  // `on` instead of `once`, because the terminal and npm both send the signal.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end.abort());
  const order = values.calm ? 'no faults' : `faults in the order of seed ${String(seed)}`;
  log(`${String(minutes)} minutes, ${order}`);
  const faults = values.calm ? undisturbed() : drawn(scenarios, seed);
  const sparing = values.calm ? faults : drawn(scenarios, seed, 'those that spare the services');
  const soaked = await soak({
    minutes,
    partitions,
    faults,
    sparing,
    signal: end.signal,
    log: (line) => log(shown(line)),
  });
  const { rows, findings, sentences } = judgeSoak(soaked);
  log(`\n${tableOf(rows)}\n`);
  for (const sentence of sentences) log(sentence);
  const found = end.signal.aborted ? [...findings, 'it was ended by a signal'] : findings;
  for (const finding of found) log(`✗ ${finding}`);
  log(
    found.length === 0
      ? '✓ The platform holds.'
      : `Again: npm run soak -- --minutes ${String(minutes)} ${values.calm ? '--calm' : `--seed ${String(seed)}`}`,
  );
  return found.length === 0 ? 0 : 1;
}

function* undisturbed(): Generator<readonly Scenario[], never> {
  for (;;) yield [];
}

await runCommandLine({ usage: USAGE, options: OPTIONS, words: false }, main);
