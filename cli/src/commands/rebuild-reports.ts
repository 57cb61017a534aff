import type { Command } from 'commander';
import type { RebuildOptions } from '../reports/rebuild-reports.js';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
What lists say of a report is computed from its entries with every write. This computes it anew for all reports of an institution; it harms
nothing and can be repeated.

Examples:
  $ stechuhr rebuild-reports --institution 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11`;

export function registerRebuildReports(program: Command): void {
  program
    .command('rebuild-reports')
    .description('compute the daily reports of an institution anew from their entries')
    .requiredOption('--institution <uuid>', 'whose reports')
    .addHelpText('after', EXAMPLES)
    .action((options: RebuildOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../reports/rebuild-reports.js')).rebuildReports(options, output)),
    );
}
