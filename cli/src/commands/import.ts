import type { Command } from 'commander';
import type { ImportOptions } from '../import/run-import.js';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Each line is one JSON object with a "kind". Repeating an import changes nothing; the order of lines does not matter.
--dry-run judges each line, and whether what records name is stored or among the lines; what settings of reviews and daily reports name, and
what only a write finds out (a second record of one month), shows at the import itself.

Examples:
  $ stechuhr import employees.ndjson workdays.ndjson
  $ zcat export.ndjson.gz | stechuhr import -
  $ stechuhr import staff.ndjson --json | jq '.rejected[]'
  $ stechuhr import --dry-run staff.ndjson

Exit code 0: everything was accepted. 1: lines were rejected, or the platform is away. 2: wrong usage.`;

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('load records (NDJSON) into the platform')
    .argument('<file...>', 'files to read, "-" for standard input')
    .option('--dry-run', 'judge the lines and write nothing')
    .addHelpText('after', EXAMPLES)
    .action((files: string[], options: ImportOptions, command: Command) =>
      runCommand(command, async (output) => {
        const { runImport } = await import('../import/run-import.js');
        return runImport(files, options, output);
      }),
    );
}
