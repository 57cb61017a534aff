import { InvalidArgumentError, type Command } from 'commander';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Checks everything that the platform needs (its servers, its streams and their consumers, every service, the API), and has every service
look through its stores for what was left behind and what is missing. Each problem comes with advice.

Examples:
  $ stechuhr doctor
  $ stechuhr doctor --quick
  $ stechuhr doctor --json | jq '.[] | select(.state != "ok")'
  $ stechuhr doctor --repair

Exit code 0: no check failed; there may be warnings. 1: a check failed.`;

interface Options {
  readonly quick?: true;
  readonly repair?: true;
  readonly olderThan: number;
}

const DEFAULT_SECONDS = 300;
const MAX_SECONDS = 2 ** 31;

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check every dependency and every store, and give advice')
    .option('--quick', 'leave the stores out: they are read completely')
    .option('--repair', 'remove what was left behind, where nothing can be lost by it')
    .option('--older-than <seconds>', 'what is younger may still be at work', seconds, DEFAULT_SECONDS)
    .addHelpText('after', EXAMPLES)
    .action(({ quick, repair, olderThan }: Options, command: Command) =>
      runCommand(command, async (output) => {
        const { runDoctor } = await import('../doctor/run-doctor.js');
        return runDoctor(output, quick === true ? undefined : { olderThanSeconds: olderThan, repair: repair === true });
      }),
    );
}

function seconds(text: string): number {
  const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (value <= MAX_SECONDS) return value;
  throw new InvalidArgumentError(`It must be a whole number of seconds from 0 to ${String(MAX_SECONDS)}.`);
}
