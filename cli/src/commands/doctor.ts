import { InvalidArgumentError, type Command } from 'commander';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Checks everything that the platform needs: its servers, its streams and their consumers, every service, the API. Each service also checks its
own stores for leftovers and for missing data. Each problem comes with advice.

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
    .option('--quick', 'skip the stores, because checking them reads them completely')
    .option('--repair', 'repair what can be repaired without losing data')
    .option('--older-than <seconds>', 'ignore what is younger, because it may still be in progress', seconds, DEFAULT_SECONDS)
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
