import type { Command } from 'commander';
import { runCommand } from '../run-command.js';
import { addTokenOptions, type TokenOptions } from '../token-options.js';

const LIST_EXAMPLES = `
A task belongs to the account that started it, so the list depends on the token. Tasks that ended in error are not shown.

Examples:
  $ stechuhr tasks list
  $ stechuhr tasks list --json | jq -r '.[] | select(.status == "in_progress") | .id'`;

const SHOW_EXAMPLES = `
Examples:
  $ stechuhr tasks show 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11`;

const DELETE_EXAMPLES = `
A running job is stopped, the file is removed, and an identical request starts a new task. Tasks that ended in error can be deleted too.

Examples:
  $ stechuhr tasks delete 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11`;

export function registerTasks(program: Command): void {
  const tasks = program.command('tasks').description('list, show and delete the asynchronous tasks of an account');
  addTokenOptions(tasks.command('list'))
    .description('list tasks, newest first')
    .addHelpText('after', LIST_EXAMPLES)
    .action((options: TokenOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../tasks/run-tasks.js')).runList(options, output)),
    );
  addTokenOptions(tasks.command('show'))
    .description('show a task, and the employees that its file leaves out')
    .argument('<id>', 'the task')
    .addHelpText('after', SHOW_EXAMPLES)
    .action((id: string, options: TokenOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../tasks/run-tasks.js')).runShow(id, options, output)),
    );
  addTokenOptions(tasks.command('delete'))
    .description('delete a task and its file')
    .argument('<id>', 'the task')
    .addHelpText('after', DELETE_EXAMPLES)
    .action((id: string, options: TokenOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../tasks/run-tasks.js')).runDelete(id, options, output)),
    );
}
