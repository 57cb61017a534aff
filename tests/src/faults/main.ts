import { openCampaign, holds, type Line } from './campaign.js';
import { shown } from './report.js';
import { scenarios, type Scenario } from './scenarios/index.js';
import { writeDocument } from './document.js';

const log = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * `npm run test:faults [-- words] [--quick] [--list] [--write]`: with words only the scenarios whose group or name has one of them; `--quick`
 * those that `npm test` runs; `--list` names them; `--write` writes their rows into docs/faults.md.
 */
async function main(args: readonly string[]): Promise<number> {
  const words = args.filter((word) => !word.startsWith('--'));
  const isWanted = ({ group, name, isQuick }: Scenario): boolean =>
    (words.length === 0 || words.some((word) => group === word || name.includes(word))) && (isQuick === true || !args.includes('--quick'));
  const wanted = scenarios.filter(isWanted);
  if (args.includes('--list')) {
    for (const { group, name, isQuick } of wanted) log(`${group}: ${name}${isQuick === true ? ' (quick)' : ''}`);
    return 0;
  }
  if (wanted.length === 0) throw new Error(`No scenario has one of these words: ${words.join(', ')}.`);
  const lines = await tried(wanted);
  if (args.includes('--write')) await writeDocument(lines);
  const failed = lines.filter((line) => !holds(line)).length;
  log(`${String(lines.length - failed)} of ${String(wanted.length)} scenarios hold`);
  return failed === 0 ? 0 : 1;
}

async function tried(wanted: readonly Scenario[]): Promise<readonly Line[]> {
  const campaign = await openCampaign(wanted.length);
  const lines: Line[] = [];
  const end = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort());
  try {
    for (const scenario of wanted) {
      if (end.signal.aborted) break;
      const line = await campaign.run(scenario);
      log(shown(line));
      lines.push(line);
    }
  } finally {
    await campaign.close();
  }
  return lines;
}

process.exitCode = await main(process.argv.slice(2));
