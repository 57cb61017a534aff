import type { Command } from 'commander';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Each event is stored with its record until NATS has accepted it, normally for milliseconds. This command shows the number of
documents with waiting events and the age of the oldest event, as reported by the admin port of each service (run.json, or ADMIN_ADDRESSES).

Examples:
  $ stechuhr outbox status
  $ stechuhr outbox status --json | jq '[.[].outboxes[].documents] | add'
  $ ADMIN_ADDRESSES=records=127.0.0.1:9001,tasks=127.0.0.1:9002 stechuhr outbox status

Exit code 0: every service answered. 1: at least one did not, or not for its database.`;

export function registerOutbox(program: Command): void {
  const outbox = program.command('outbox').description('show events that wait to be published');
  outbox
    .command('status')
    .description('count waiting events by service, with their age')
    .addHelpText('after', EXAMPLES)
    .action((_options: object, command: Command) =>
      runCommand(command, async (output) => (await import('../outbox/run-outbox.js')).runStatus(output)),
    );
}
