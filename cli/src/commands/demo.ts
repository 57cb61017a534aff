import { InvalidArgumentError, type Command } from 'commander';
import type { DemoCommandOptions } from '../demo/run-demo.js';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Loads a German building firm with contracts, projects, tracked time up to today, absences and accounts. The same seed gives the same firm. If the
command is repeated on the same day, nothing changes; on a later day, it adds the days since.

Examples:
  $ stechuhr demo
  $ stechuhr demo --employees 1000 --months 12
  $ stechuhr demo --seed second --json | jq -r .account_id
  $ stechuhr demo --output demo.ndjson`;

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('load a demonstration organization, or write it to a file')
    .option('--employees <n>', 'number of current and former employees', wholeNumber(1, 100_000), 25)
    .option('--months <n>', 'minimum number of months of tracked time', wholeNumber(1, 60), 4)
    .option('--seed <text>', 'a different seed gives a different firm', seed, 'stechuhr')
    .option('--output <file|->', 'write NDJSON instead of importing, "-" for standard output')
    .addHelpText('after', EXAMPLES)
    .action((options: DemoCommandOptions, command: Command) =>
      runCommand(command, async (output) => {
        const { runDemo } = await import('../demo/run-demo.js');
        return runDemo(options, output);
      }),
    );
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]+$/u.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

function seed(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It may not be blank.');
  return text;
}
