import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cases } from './cases/index.js';
import { closeAll } from './harness/at-end.js';
import { describeCase, describeGoals } from './harness/report.js';
import { runCase, type CaseResult } from './harness/run-case.js';
import type { Case } from './harness/types.js';

const USAGE = `npm run bench -- [case…] [--quick] [--rounds N] [--size N] [--json FILE]\n\ncases:\n${cases.map(({ name, title }) => `  ${name}: ${title}`).join('\n')}`;
const ROUNDS = 5;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: String(ROUNDS) },
    size: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function main(): Promise<boolean> {
  const settings = {
    quick: options.quick,
    rounds: wholeNumber('rounds', options.rounds),
    ...(options.size === undefined ? {} : { size: wholeNumber('size', options.size) }),
    log: (line: string) => console.error(line),
  };
  const results: CaseResult[] = [];
  const broken: string[] = [];
  try {
    for (const chosen of wanted(positionals)) {
      try {
        const result = await runCase(chosen, settings);
        results.push(result);
        console.log(`\n${describeCase(result)}\n`);
      } catch (caught) {
        // A failing case must not discard the results of the others.
        console.error(caught);
        broken.push(chosen.name);
      }
      if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, null, 2));
    }
  } finally {
    await closeAll();
  }
  console.log(describeGoals(results, options.quick));
  const failed = results.filter(({ problems, judgements }) => problems.length > 0 || (!options.quick && judgements.some(isMissed)));
  const names = [...failed.map(({ case: { name } }) => name), ...broken];
  if (names.length > 0) console.error(`\nfailed: ${names.join(', ')}`);
  return names.length === 0;
}

const isMissed = ({ verdict }: CaseResult['judgements'][number]): boolean => verdict === 'missed';

function wanted(names: readonly string[]): readonly Case[] {
  const unknown = names.filter((name) => !cases.some((known) => known.name === name));
  if (unknown.length > 0) throw new Error(`There is no case ${unknown.join(', ')}.\n${USAGE}`);
  return names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} must be a whole number from 1`);
  return value;
}

if (options.help) {
  console.log(USAGE);
} else {
  process.exitCode = (await main()) ? 0 : 1;
}
