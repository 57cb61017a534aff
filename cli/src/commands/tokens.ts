import type { Command } from 'commander';
import { runCommand } from '../run-command.js';
import type { IssueOptions } from '../tokens/run-tokens.js';

const ISSUE_EXAMPLES = `
The token is shown once and never stored. It sees the data that its account may see. Prefer --strict: such a token may do only what its
scopes name.

Without --strict, --scopes restricts only absence rules and daily reports: whatever its scopes are, the token may run exports and reviews, read
records, view and delete its account's tasks, change suppressions, and issue tokens that may do no more than itself. Without --scopes, it may do
everything.

Scopes: absence_rules:view|add|edit|delete, daily_reports:view|edit|approve
With --strict also: exports:run, tasks:view, tasks:delete, records:view, reviews:view, suppressions:edit,
tokens:view, tokens:edit, webhooks:view, webhooks:edit

Examples:
  $ stechuhr tokens issue --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --name "Payroll" --strict --scopes exports:run,tasks:view
  $ stechuhr tokens issue --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11
  $ stechuhr tokens issue --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --name "Site office" \\
      --scopes daily_reports:view,daily_reports:edit --expires-at 2027-12-31T23:59:59`;

const LIST_EXAMPLES = `
Examples:
  $ stechuhr tokens list
  $ stechuhr tokens list --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11
  $ stechuhr tokens list --json | jq '.[] | select(.last_used_at == null)'`;

const REVOKE_EXAMPLES = `
Examples:
  $ stechuhr tokens revoke 019a5f0e-7c1d-7f3a-9b5e-1d3f5a7c9e86`;

export function registerTokens(program: Command): void {
  const tokens = program.command('tokens').description('issue, list and revoke API tokens');
  tokens
    .command('issue')
    .description('issue a token for an account')
    .requiredOption('--account <uuid>', 'the account on whose behalf the token acts')
    .option('--institution <uuid>', 'its institution, where several have an account of this id (in a cluster)')
    .option('--name <text>', 'what the token is for')
    .option('--scopes <a,b>', 'restrict the token to these permissions')
    .option('--strict', 'let the token do only what its scopes name (recommended)')
    .option('--expires-at <datetime>', 'local time (Europe/Berlin), for example 2027-12-31T23:59:59')
    .addHelpText('after', ISSUE_EXAMPLES)
    .action((options: IssueOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../tokens/run-tokens.js')).runIssue(options, output)),
    );
  tokens
    .command('list')
    .description('list tokens, oldest first; the tokens themselves are never shown')
    .option('--account <uuid>', 'only tokens of this account')
    .addHelpText('after', LIST_EXAMPLES)
    .action((options: { account?: string }, command: Command) =>
      runCommand(command, async (output) => (await import('../tokens/run-tokens.js')).runList(options, output)),
    );
  tokens
    .command('revoke')
    .description('revoke a token; it stops working at once')
    .argument('<id>', 'id of the token, as "tokens list" shows it')
    .addHelpText('after', REVOKE_EXAMPLES)
    .action((id: string, _options: object, command: Command) =>
      runCommand(command, async (output) => (await import('../tokens/run-tokens.js')).runRevoke(id, output)),
    );
}
