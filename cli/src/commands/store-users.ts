import type { Command } from 'commander';
import { runCommand } from '../run-command.js';
import type { StoreUsersOptions } from '../store-users/run-store-users.js';

const EXAMPLES = `
Gives each service its own access key and policy in an object store of MinIO's family (MinIO, Silo), such as the chart's own. The file is a JSON
list of {name, secretKey, policy}; existing users are updated. S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY name the store and its
administrator's key.

Examples:
  $ stechuhr store-users --file users.json
  $ stechuhr store-users --file users.json --watch    # runs until it is stopped; creates users again if the store loses them`;

export function registerStoreUsers(program: Command): void {
  program
    .command('store-users')
    .description('create the users of an object store, with their policies')
    .requiredOption('--file <file>', 'JSON file with the users')
    .option('--watch', 'keep running, and create users again if the store loses them')
    .addHelpText('after', EXAMPLES)
    .action((options: StoreUsersOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../store-users/run-store-users.js')).runStoreUsers(options, output)),
    );
}
