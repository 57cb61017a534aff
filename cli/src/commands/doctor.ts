import type { Command } from 'commander';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Checks everything that the platform needs (its servers, its streams, every service, the API) and gives advice on every problem.

Examples:
  $ stechuhr doctor
  $ stechuhr doctor --json | jq '.[] | select(.state != "ok")'

Exit code 0: no check failed; there may be warnings. 1: a check failed.`;

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check every dependency and give advice')
    .addHelpText('after', EXAMPLES)
    .action((_options: object, command: Command) =>
      runCommand(command, async (output) => (await import('../doctor/run-doctor.js')).runDoctor(output)),
    );
}
