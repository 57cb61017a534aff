import type { Command } from 'commander';
import type { ImportOptions } from '../import/run-import.js';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Each line is one JSON object with a "kind". Repeating an import changes nothing; the order of lines does not matter.
Unknown fields are ignored and reported as warnings, with the field that was probably meant, and so are fields that a line repeats, of which the last
value counts; --strict rejects such lines.
Accounting numbers that several employees share are reported as warnings, too.
With --mapping the files are CSV: the mapping file assigns their columns, for employees or for hours (docs/csv-import/README.md).
The first hundred rejected lines and the first hundred warnings are shown; --json prints all of them.
--dry-run finds every problem that an import of the same lines would find now, except months that would become too large, and writes nothing.

Examples:
  $ stechuhr import employees.ndjson workdays.ndjson
  $ zcat export.ndjson.gz | stechuhr import -
  $ stechuhr import staff.ndjson --json | jq '.rejected[]'
  $ stechuhr import --dry-run staff.ndjson
  $ stechuhr import --mapping hours.mapping.json hours.csv

Exit code 0: everything was accepted. 1: lines were rejected, or the platform is unavailable. 2: wrong usage.`;

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('load records (NDJSON or CSV) into the platform')
    .argument('<file...>', 'files to read, "-" for standard input')
    .option('--dry-run', 'report the problems of the lines and write nothing')
    .option('--strict', 'reject lines with unknown or repeated fields instead of warning about them')
    .option('--mapping <file>', 'read CSV files; this JSON file assigns their columns')
    .addHelpText('after', EXAMPLES)
    .action((files: string[], options: ImportOptions, command: Command) =>
      runCommand(command, async (output) => {
        const { runImport } = await import('../import/run-import.js');
        return runImport(files, options, output);
      }),
    );
}
