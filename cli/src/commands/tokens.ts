import type { Command } from 'commander';
import { runCommand } from '../run-command.js';
import type { IssueOptions } from '../tokens/run-tokens.js';

const ISSUE_EXAMPLES = `
The token is shown once and never stored. Without --scopes it has all permissions; it sees the data that its account may see.

Examples:
  $ stechuhr tokens issue --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11
  $ stechuhr tokens issue --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --name "Site office" \\
      --scopes daily_reports:view,daily_reports:edit --expires-at 2027-12-31T23:59:59`;

export function registerTokens(program: Command): void {
  const tokens = program.command('tokens').description('issue, list and revoke API tokens');
  tokens
    .command('issue')
    .description('issue a token for an account')
    .requiredOption('--account <uuid>', 'the account on whose behalf the token acts')
    .option('--name <text>', 'what the token is for')
    .option('--scopes <a,b>', 'restrict the token to these permissions')
    .option('--expires-at <datetime>', 'local time (Europe/Berlin), for example 2027-12-31T23:59:59')
    .addHelpText('after', ISSUE_EXAMPLES)
    .action((options: IssueOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../tokens/run-tokens.js')).runIssue(options, output)),
    );
  tokens
    .command('list')
    .description('list tokens, oldest first; the tokens themselves are never shown')
    .option('--account <uuid>', 'only those of one account')
    .action((options: { account?: string }, command: Command) =>
      runCommand(command, async (output) => (await import('../tokens/run-tokens.js')).runList(options, output)),
    );
  tokens
    .command('revoke')
    .description('revoke a token; it stops working at once')
    .argument('<id>', 'id of the token, as "tokens list" shows it')
    .action((id: string, _options: object, command: Command) =>
      runCommand(command, async (output) => (await import('../tokens/run-tokens.js')).runRevoke(id, output)),
    );
}
