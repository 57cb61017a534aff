import { parseChoice } from '../grammar.js';
import { notAChoice, type Report } from '../problems.js';
import { csv } from './csv.js';
import type { ChosenFormat, Format } from './format.js';
import { json } from './json.js';
import { plain } from './plain.js';
import { table } from './table.js';

/** What is written when a request names no format. */
export const DEFAULT_FORMAT = 'csv';

/** The format whose files only fit outside of an envelope (spec, Exports, rule 3). */
const FILE_ONLY = 'xlsx';

/** All formats, for the reference page and the validator. */
export const formats: readonly Format[] = [csv, json, table, plain];

/** The format of a request; what is wrong with it is reported, and csv stands in. */
export function chooseFormat(text: string, responseOnly: boolean, report: Report): ChosenFormat {
  const fallback = csv.configure([], report);
  const choice = parseChoice(text);
  if (typeof choice === 'string') {
    report(choice);
    return fallback;
  }
  if (choice.name === FILE_ONLY && !responseOnly) {
    report('"xlsx" needs response_only=true.');
    return fallback;
  }
  const format = formats.find(({ id }) => id === choice.name);
  if (format !== undefined) return format.configure(choice.options, report);
  report(
    notAChoice(
      choice.name,
      formats.map(({ id }) => id),
    ),
  );
  return fallback;
}
