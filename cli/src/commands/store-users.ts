import type { Command } from 'commander';
import { runCommand } from '../run-command.js';
import type { StoreUsersOptions } from '../store-users/run-store-users.js';

const EXAMPLES = `
For a store of MinIO's family (MinIO, Silo), such as the chart's own: gives each service its access key and its policy. The file is a JSON list
of {name, secretKey, policy}; what exists is brought up to date. The store and its administrator's key come from S3_ENDPOINT, S3_ACCESS_KEY
and S3_SECRET_KEY.

Examples:
  $ stechuhr store-users --file users.json
  $ stechuhr store-users --file users.json --watch    # until it is stopped: again when the store has lost them`;

export function registerStoreUsers(program: Command): void {
  program
    .command('store-users')
    .description('create the users of an object store, with their policies')
    .requiredOption('--file <file>', 'who they are')
    .option('--watch', 'keep them as they should be, until it is stopped')
    .addHelpText('after', EXAMPLES)
    .action((options: StoreUsersOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../store-users/run-store-users.js')).runStoreUsers(options, output)),
    );
}
