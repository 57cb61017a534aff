import type { Command } from 'commander';
import type { RebuildOptions } from '../reports/rebuild-reports.js';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Lists of reports show fields that each write computes from the entries of the report. This command recomputes them for all reports of an
institution. It is safe at any time and can be repeated.

Examples:
  $ stechuhr rebuild-reports --institution 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11`;

export function registerRebuildReports(program: Command): void {
  program
    .command('rebuild-reports')
    .description('recompute the daily reports of an institution from their entries')
    .requiredOption('--institution <uuid>', 'the institution whose reports are recomputed')
    .addHelpText('after', EXAMPLES)
    .action((options: RebuildOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../reports/rebuild-reports.js')).rebuildReports(options, output)),
    );
}
