import { InvalidArgumentError, type Command } from 'commander';
import { runCommand } from '../run-command.js';

const LIST_EXAMPLES = `
Messages that could not be handled, with the reason; they are kept for 30 days. The origin is "ingest" for live objects, otherwise a service.

Examples:
  $ stechuhr dead-letters list
  $ stechuhr dead-letters list --origin ingest --json | jq -r '.[].reason'`;

const SHOW_EXAMPLES = `
Examples:
  $ stechuhr dead-letters show 7
  $ stechuhr dead-letters show 7 --json | jq -r .payload`;

const RETRY_EXAMPLES = `
Sends letters again on their original subject, as new messages. Do this after the cause of the failure has been removed. A live object then
overrides objects that were sent after the original. A message that fails again becomes a new dead letter.

Only live objects and deletions are sent again. A live object is sent only if the institution and kind in its content match its subject, because the
content of a letter comes from its sender. The letter of an export says why its task has ended; its account can delete the task and start it again.

Examples:
  $ stechuhr dead-letters retry 7 8
  $ stechuhr dead-letters retry --all --origin ingest

Exit code 0: all were sent. 1: some were not, or the platform is unavailable. 2: wrong usage.`;

const DELETE_EXAMPLES = `
Deletes letters whose messages are no longer needed. They cannot be sent again afterwards.

Examples:
  $ stechuhr dead-letters delete 7 8
  $ stechuhr dead-letters delete --all --origin export`;

export function registerDeadLetters(program: Command): void {
  const letters = program.command('dead-letters').description('show messages that could not be handled, and send them again');
  letters
    .command('list')
    .description('list dead letters, oldest first')
    .option('--origin <name>', 'only letters of this origin', originName)
    .addHelpText('after', LIST_EXAMPLES)
    .action((options: { origin?: string }, command: Command) =>
      runCommand(command, async (output) => (await import('../dead-letters/run-dead-letters.js')).runList(options, output)),
    );
  letters
    .command('show')
    .description('show a dead letter with its message')
    .argument('<number>', 'its number in the list', letterNumber)
    .addHelpText('after', SHOW_EXAMPLES)
    .action((sequence: number, _options: object, command: Command) =>
      runCommand(command, async (output) => (await import('../dead-letters/run-dead-letters.js')).runShow(sequence, output)),
    );
  letters
    .command('retry')
    .description('send dead letters again')
    .argument('[numbers...]', 'their numbers in the list', letterNumbers)
    .option('--all', 'all dead letters')
    .option('--origin <name>', 'with --all: only letters of this origin', originName)
    .addHelpText('after', RETRY_EXAMPLES)
    .action((sequences: readonly number[] | undefined, options: { all?: boolean; origin?: string }, command: Command) =>
      runCommand(command, async (output) =>
        (await import('../dead-letters/run-dead-letters.js')).runRetry(sequences ?? [], options, output),
      ),
    );
  letters
    .command('delete')
    .description('delete dead letters without sending them')
    .argument('[numbers...]', 'their numbers in the list', letterNumbers)
    .option('--all', 'all dead letters')
    .option('--origin <name>', 'with --all: only letters of this origin', originName)
    .addHelpText('after', DELETE_EXAMPLES)
    .action((sequences: readonly number[] | undefined, options: { all?: boolean; origin?: string }, command: Command) =>
      runCommand(command, async (output) =>
        (await import('../dead-letters/run-dead-letters.js')).runDelete(sequences ?? [], options, output),
      ),
    );
}

function letterNumbers(text: string, before: readonly number[] = []): readonly number[] {
  return [...new Set([...before, letterNumber(text)])];
}

function letterNumber(text: string): number {
  const number = /^\d{1,15}$/u.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be the number of a dead letter.');
}

/** Rejects `*` and `>`, which NATS would treat as wildcards. */
function originName(text: string): string {
  if (/^[\w-]+$/u.test(text)) return text;
  throw new InvalidArgumentError('It must be the name of an origin, as "dead-letters list" shows it.');
}
