import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { registerAccounts } from './commands/accounts.js';
import { registerCompletion } from './commands/completion.js';
import { registerDailyReports } from './commands/daily-reports.js';
import { registerDeadLetters } from './commands/dead-letters.js';
import { registerDemo } from './commands/demo.js';
import { registerDoctor } from './commands/doctor.js';
import { registerEvents } from './commands/events.js';
import { registerExport } from './commands/export.js';
import { registerImport } from './commands/import.js';
import { registerOutbox } from './commands/outbox.js';
import { registerRebuildReports } from './commands/rebuild-reports.js';
import { registerReview } from './commands/review.js';
import { registerStoreUsers } from './commands/store-users.js';
import { registerTasks } from './commands/tasks.js';
import { registerTokens } from './commands/tokens.js';
import { registerWebhooks } from './commands/webhooks.js';

const HELP = `
In a checkout, run it with npx stechuhr <command>, or with npm run -s stechuhr -- <command>, which builds first.

The commands find the platform through the environment (RECORDS_ADDRESS, EXPORTS_ADDRESS, TASKS_ADDRESS, REVIEWS_ADDRESS, DAILY_REPORTS_ADDRESS,
ABSENCE_RULES_ADDRESS, WEBHOOKS_ADDRESS, MONGODB_URL, REDIS_URL, NATS_URL, ADMIN_ADDRESSES, S3_ENDPOINT, STECHUHR_URL), or else through the
run.json that "npm start" writes to STECHUHR_HOME (.stechuhr in the checkout). STECHUHR_TOKEN is the token with which a command acts.

Exit codes: 0 done, 1 failed or partly rejected, 2 wrong usage, 3 only from "review": errors remain.

Examples:
  $ stechuhr demo
  $ stechuhr tokens issue --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --name "Payroll"
  $ stechuhr import records.ndjson
  $ stechuhr review --month 2026-05`;

/** The command line: registers every command, each of which is loaded only when it is called. */
export function createProgram(): Command {
  const program = new Command('stechuhr')
    .description('Operate the Stechuhr platform: records, tokens, reviews, demonstration data.')
    .version(version(), '--version', 'print the version')
    .option('--json', 'print the result as one JSON value')
    .addHelpText('after', HELP)
    .showHelpAfterError('(add --help for usage)')
    .exitOverride();
  registerImport(program);
  registerExport(program);
  registerAccounts(program);
  registerTokens(program);
  registerTasks(program);
  registerWebhooks(program);
  registerReview(program);
  registerDailyReports(program);
  registerRebuildReports(program);
  registerEvents(program);
  registerDeadLetters(program);
  registerOutbox(program);
  registerDoctor(program);
  registerStoreUsers(program);
  registerDemo(program);
  registerCompletion(program);
  return program;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return manifest.version;
}
