import { Argument, type Command } from 'commander';
import type { ExportOptions } from '../export/run-export.js';
import { collect } from '../collect.js';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Before the command writes the file, it lists on stderr the employees that the file leaves out. For payroll files it also prints warnings: accounting
numbers that are missing, shared by several employees or not accepted by the payroll program, absences without a wage code, and open errors in the
reviews of the months.

--param sets any other parameter of the API, each only once. Join several types, columns or filters by "|".

Examples:
  $ stechuhr export payroll_b --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --daterange "2026-03-01|2026-03-31" \\
      --param "config=1234567|12345" --output march.csv
  $ stechuhr export payroll_a --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --daterange "2026-03-01|2026-03-31" \\
      --param export_format=json
  $ stechuhr export generic --account 6f1f3f0e-5a39-5d0e-9c4e-0d7b6f0f4b11 --daterange "2026-01-01|2026-12-31" \\
      --async --output year.csv`;

/** Declared for the help text and for completion; the command itself reports an unknown exporter. */
const exporter = new Argument('<exporter>', 'the exporter');
exporter.argChoices = ['generic', 'payroll_a', 'payroll_b', 'multi'];

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('write an export file, after listing the employees that it leaves out')
    .addArgument(exporter)
    .requiredOption('--account <uuid>', 'the account whose employees are exported')
    .option('--institution <uuid>', 'its institution, where several have an account of this id (in a cluster)')
    .requiredOption('--daterange <from|to>', 'two dates, both inclusive')
    .option('--param <name=value>', 'another parameter of the API; may be repeated for further ones', collect, [])
    .option('--async', 'run it as a task, with a progress bar; repeating the request finds the same task')
    .option('--no-review', 'before a payroll file, do not run the review that finds open errors')
    .option('--output <file|->', 'the file to write, "-" for standard output', '-')
    .addHelpText('after', EXAMPLES)
    .action((exporter: string, options: ExportOptions, command: Command) =>
      runCommand(command, async (output) => (await import('../export/run-export.js')).runExport(exporter, options, output)),
    );
}
