import type { Command } from 'commander';
import { runCommand } from '../run-command.js';
import { addTokenOptions, type TokenOptions } from '../token-options.js';
import type { DeliveriesOptions, FieldOptions, ReplayOptions } from '../webhooks/run-webhooks.js';
import type { VerifyOptions } from '../webhooks/verify.js';

const WEBHOOK = '6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11';

const EXAMPLES = `
Only administrators can manage webhooks, so use a token of an administrator. The secret is shown once; docs/webhooks.md explains how a receiver
verifies signatures with it.

Examples:
  $ stechuhr webhooks create https://erp.example.com/hooks --types records.workday.changed,records.workday.deleted
  $ stechuhr webhooks test 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11
  $ stechuhr webhooks deliveries 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --states pending,dead
  $ stechuhr webhooks replay 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --since 2d`;

const VERIFY_EXAMPLES = `
Reads the body as it arrived, byte for byte, from a file or standard input ("-"). Exits with 1 if no signature matches.

Examples:
  $ stechuhr webhooks verify body.json --secret-file secret.txt --id 019a5f0e-7c1d-7f3a-9b5e-1d3f5a7c9e86 \\
      --timestamp 1761984000 --signature v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`;

/** Example arguments for each subcommand that takes a token. */
const EXAMPLES_OF = {
  list: ['', '--token-file token.txt --json'],
  create: ['https://erp.example.com/hooks --types records.workday.changed,records.workday.deleted --description ERP'],
  update: [`${WEBHOOK} --types all`, `${WEBHOOK} --disable`, `${WEBHOOK} --rotate-secret`],
  delete: [WEBHOOK],
  deliveries: [`${WEBHOOK} --states pending,dead`, `${WEBHOOK} --limit 10 --json`],
  replay: [`${WEBHOOK} 019a5f0e-7c1d-7f3a-9b5e-1d3f5a7c9e86`, `${WEBHOOK} --since 2d`, `${WEBHOOK} --since 2d --states delivered,dead`],
  test: [WEBHOOK],
} as const;

const load = () => import('../webhooks/run-webhooks.js');

export function registerWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('list, change, test and replay webhooks').addHelpText('after', EXAMPLES);
  subcommand(webhooks, 'list')
    .description('list webhooks, oldest first')
    .action((options: TokenOptions, command: Command) => runCommand(command, async (output) => (await load()).runList(options, output)));
  addFieldOptions(subcommand(webhooks, 'create'))
    .description('create a webhook; its secret is shown once')
    .argument('<url>', 'where events are sent: https, a public address')
    .action((url: string, options: FieldOptions, command: Command) =>
      runCommand(command, async (output) => (await load()).runCreate({ ...options, url }, output)),
    );
  addFieldOptions(subcommand(webhooks, 'update'))
    .description('change a webhook')
    .argument('<id>', 'the webhook')
    .option('--url <url>', 'where events are sent')
    .option('--enable', 'enable it again')
    .option('--rotate-secret', 'give it a new secret, which is shown once; requests are also signed with the previous one for another day')
    .action((id: string, options: FieldOptions, command: Command) =>
      runCommand(command, async (output) => (await load()).runUpdate(id, options, output)),
    );
  subcommand(webhooks, 'delete')
    .description('delete a webhook and its deliveries')
    .argument('<id>', 'the webhook')
    .action((id: string, options: TokenOptions, command: Command) =>
      runCommand(command, async (output) => (await load()).runDelete(id, options, output)),
    );
  registerDeliveries(webhooks);
}

function subcommand(webhooks: Command, name: keyof typeof EXAMPLES_OF): Command {
  const lines = EXAMPLES_OF[name].map((options) => `  $ stechuhr webhooks ${name} ${options}`.trimEnd());
  return addTokenOptions(webhooks.command(name)).addHelpText('after', ['\nExamples:', ...lines].join('\n'));
}

function addFieldOptions(command: Command): Command {
  return command
    .option('--types <a,b>', 'send only these events; "all" sends every event')
    .option('--description <text>', 'what it is for')
    .option('--disable', 'keep events for a replay instead of sending them');
}

function registerDeliveries(webhooks: Command): void {
  subcommand(webhooks, 'deliveries')
    .description('list the deliveries of a webhook, sent and pending, newest first')
    .argument('<id>', 'the webhook')
    .option('--states <a,b>', 'only deliveries in these states: pending, delivered, dead')
    .option('--limit <n>', 'maximum number of deliveries', '100')
    .action((id: string, options: DeliveriesOptions, command: Command) =>
      runCommand(command, async (output) => (await load()).runDeliveries(id, options, output)),
    );
  subcommand(webhooks, 'replay')
    .description('send one event again, or with --since all events that were given up')
    .argument('<id>', 'the webhook')
    .argument('[delivery]', 'one delivery, as "webhooks deliveries" shows it')
    .option('--since <when>', 'all events since then: an age (30m, 2h, 14d) or an instant in UTC')
    .option('--states <a,b>', 'with --since: only deliveries in these states', 'dead')
    .option('--after <delivery>', 'with --since: only what comes after this delivery, to continue a replay that failed')
    .action((id: string, delivery: string | undefined, options: ReplayOptions, command: Command) =>
      runCommand(command, async (output) => (await load()).runReplay(id, delivery, options, output)),
    );
  subcommand(webhooks, 'test')
    .description('send a test event to a webhook, even if it is disabled')
    .argument('<id>', 'the webhook')
    .action((id: string, options: TokenOptions, command: Command) =>
      runCommand(command, async (output) => (await load()).runTest(id, options, output)),
    );
  webhooks
    .command('verify')
    .description('verify the signature of a received request')
    .argument('<file>', 'its body, or - for standard input')
    .requiredOption('--secret-file <file>', 'a file with the secret of the webhook')
    .requiredOption('--id <id>', 'its webhook-id')
    .requiredOption('--timestamp <seconds>', 'its webhook-timestamp')
    .requiredOption('--signature <signatures>', 'its webhook-signature')
    .addHelpText('after', VERIFY_EXAMPLES)
    .action((file: string, options: VerifyOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../webhooks/verify.js')).runVerify(file, options, output)),
    );
}
