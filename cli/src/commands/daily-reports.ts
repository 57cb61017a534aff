import type { Command } from 'commander';
import { collect } from '../collect.js';
import type { BundleOptions } from '../reports/run-bundle.js';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
The file is written in the background. Repeating the command within twelve hours finds the same task. A PDF has an outline; a zip contains one
PDF for each report.

Examples:
  $ stechuhr daily-reports bundle --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --from 2026-11-16 --to 2026-11-22 --output week.pdf
  $ stechuhr daily-reports bundle --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --from 2026-01-01 --to 2026-12-31 \\
      --project 1d3d1fb4-8955-56fa-9ab5-4d459b06dcca --status closed --format zip --output project.zip`;

export function registerDailyReports(program: Command): void {
  const reports = program.command('daily-reports').description('get daily reports as files');
  reports
    .command('bundle')
    .description('get the reports of a range of days in one file')
    .requiredOption('--account <uuid>', 'the account whose projects are reported')
    .option('--institution <uuid>', 'its institution, where several have an account of this id (in a cluster)')
    .requiredOption('--from <date>', 'the first day')
    .requiredOption('--to <date>', 'the last day')
    .option('--project <uuid>', 'only reports of this project; may be repeated (default: all projects)', collect, [])
    .option('--status <status>', 'draft, submitted, closed or archived; may be repeated (default: all)', collect, [])
    .option('--format <format>', 'pdf or zip', 'pdf')
    .requiredOption('--output <file|->', 'the file to write, "-" for standard output')
    .addHelpText('after', EXAMPLES)
    .action((options: BundleOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../reports/run-bundle.js')).runBundle(options, output)),
    );
}
