import type { Command } from 'commander';
import { runCommand } from '../run-command.js';

const EXAMPLES = `
Each line is one JSON object with a "kind". Repeating an import changes nothing; the order of lines does not matter.

Examples:
  $ stechuhr import employees.ndjson workdays.ndjson
  $ zcat export.ndjson.gz | stechuhr import -
  $ stechuhr import staff.ndjson --json | jq '.rejected[]'

Exit code 0: everything was accepted. 1: lines were rejected, or the platform is away. 2: wrong usage.`;

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('load records (NDJSON) into the platform')
    .argument('<file...>', 'files to read, "-" for standard input')
    .addHelpText('after', EXAMPLES)
    .action((files: string[], _options: object, command: Command) =>
      runCommand(command, async (output) => {
        const { runImport } = await import('../import/run-import.js');
        return runImport(files, output);
      }),
    );
}
