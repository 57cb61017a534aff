import type { Command } from 'commander';
import type { ListAccountsOptions } from '../accounts/list-accounts.js';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Examples:
  $ stechuhr accounts list
  $ stechuhr accounts list --institution 0b2c1c3e-7a53-5d0e-8e4c-1d7b6f0f4b10 --json`;

export function registerAccounts(program: Command): void {
  const accounts = program.command('accounts').description('list the accounts that tokens are issued for');
  accounts
    .command('list')
    .description('list accounts by institution and name')
    .option('--institution <uuid>', 'only accounts of this institution')
    .option('--ids', 'print only the ids, one per line')
    .addHelpText('after', EXAMPLES)
    .action((options: ListAccountsOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../accounts/list-accounts.js')).listAccounts(options, output)),
    );
}
