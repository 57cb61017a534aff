import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
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

/**
 * `npm run soak [-- --minutes 60] [--seed 1] [--calm] [--partitions 1]`: runs clients for this time with faults in a random order, or
 * without any (`--calm`), and measures quantities that must not grow (docs/faults.md#soak). A signal ends the run after the current fault.
 */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const [minutes, seed] = [positive('minutes', values.minutes), positive('seed', values.seed)];
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
    partitions: positive('partitions', values.partitions),
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

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1, not ${text}.`);
  return value;
}

process.exitCode = await main(process.argv.slice(2));
