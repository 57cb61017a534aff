import type { Command } from 'commander';
import type { ReviewOptions } from '../review/run-review.js';
import { runCommand } from '../run-command.js';
import { addTokenOptions } from '../token-options.js';

const EXAMPLES = `
Findings are grouped by employee. Findings that a suppression hides are marked and not counted. The review covers the whole organization of the
token; names are shown only for employees that its account may see.

Examples:
  $ stechuhr review --month 2026-05
  $ stechuhr review --month 2026-05 && ./run-payroll.sh
  $ stechuhr review --month 2026-05 --json | jq '.findings[] | select(.suppressed | not) | .code'

Exit code 0: no unsuppressed errors. 3: unsuppressed errors remain. 1: the platform is unavailable. 2: wrong usage.`;

export function registerReview(program: Command): void {
  addTokenOptions(program.command('review'))
    .description('check a month before payroll: findings by employee')
    .requiredOption('--month <YYYY-MM>', 'the calendar month')
    .addHelpText('after', EXAMPLES)
    .action((options: ReviewOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../review/run-review.js')).runReview(options, output)),
    );
}
