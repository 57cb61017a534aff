import { writeFileSync } from 'node:fs';
import { runCommandLine, UsageError, wholeNumber, type OptionValues } from '@stechuhr/local-infra';
import { cases } from './cases/index.js';
import { closeAll } from './harness/at-end.js';
import { describeCase, describeFailures, describeGoals, type BrokenCase } from './harness/report.js';
import { runCase, type CaseOptions, type CaseResult } from './harness/run-case.js';
import type { Case } from './harness/types.js';

const USAGE = `npm run bench -- [case…] [--quick] [--rounds N] [--size N] [--json FILE]\n\ncases:\n${cases.map(({ name, title }) => `  ${name}: ${title}`).join('\n')}`;
const ROUNDS = 5;

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string', default: String(ROUNDS) },
  size: { type: 'string' },
  json: { type: 'string' },
} as const;

async function main(options: OptionValues<typeof OPTIONS>, names: readonly string[]): Promise<number> {
  const chosenCases = wanted(names);
  const settings = {
    quick: options.quick,
    rounds: wholeNumber('rounds', options.rounds),
    ...(options.size === undefined ? {} : { size: wholeNumber('size', options.size) }),
    log: (line: string) => console.error(line),
  };
  const results: CaseResult[] = [];
  const broken: BrokenCase[] = [];
  try {
    for (const chosen of chosenCases) {
      try {
        const result = await runThrough(chosen, settings);
        results.push(result);
        console.log(`\n${describeCase(result)}\n`);
      } catch (caught) {
        // A failing case must not discard the results of the others.
        console.error(caught);
        broken.push({ name: chosen.name, reason: caught });
      }
      if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, null, 2));
    }
  } finally {
    await closeAll();
  }
  console.log(describeGoals(results, options.quick));
  const failures = describeFailures(results, broken, options.quick);
  if (failures !== '') console.error(`\n${failures}`);
  return failures === '' ? 0 : 1;
}

/**
 * Runs a case. In a quick run, one that breaks off is run again: other checks use the machine at the same time, and an answer that takes longer
 * than five seconds is a 503. Outputs that differ are not compared again.
 */
async function runThrough(chosen: Case, settings: CaseOptions): Promise<CaseResult> {
  if (!settings.quick) return runCase(chosen, settings);
  try {
    return await runCase(chosen, settings);
  } catch (caught) {
    console.error(caught, `\n${chosen.name} broke off and is run again`);
    return runCase(chosen, settings);
  }
}

function wanted(names: readonly string[]): readonly Case[] {
  const unknown = names.filter((name) => !cases.some((known) => known.name === name));
  if (unknown.length > 0) throw new UsageError(`There is no case ${unknown.join(', ')}.`);
  return names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
}

await runCommandLine({ usage: USAGE, options: OPTIONS, words: true }, main);
