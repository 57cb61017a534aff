import type { Command } from 'commander';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Looks at everything that the platform needs (its servers, its streams, every service, the API) and says what to do about what is amiss.

Examples:
  $ stechuhr doctor
  $ stechuhr doctor --json | jq '.[] | select(.state != "ok")'

Exit code 0: all is well, warnings aside. 1: something failed.`;

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check every dependency and say what to do')
    .addHelpText('after', EXAMPLES)
    .action((_options: object, command: Command) =>
      runCommand(command, async (output) => (await import('../doctor/run-doctor.js')).runDoctor(output)),
    );
}
