import { parseChoice } from '../grammar.js';
import { notAChoice, type Report } from '../problems.js';
import { csv } from './csv.js';
import type { ChosenFormat, Format } from './format.js';
import { json } from './json.js';
import { plain } from './plain.js';
import { table } from './table.js';
import { xlsx } from './xlsx.js';

/** The format of requests without `export_format`. */
export const DEFAULT_FORMAT = 'csv';

/** All formats, for the reference page and the validator. */
export const formats: readonly Format[] = [csv, json, table, plain, xlsx];

const formatIds = formats.map(({ id }) => id);

/** Chooses and configures the format of a request. Problems are reported; csv is then returned as a placeholder. */
export function chooseFormat(text: string, responseOnly: boolean, report: Report, known: readonly Format[] = formats): ChosenFormat {
  const fallback = csv.configure([], report);
  const choice = parseChoice(text, report);
  const format = known.find(({ id }) => id === choice.name);
  if (format === undefined) {
    report(notAChoice(choice.name, formatIds));
    return fallback;
  }
  const chosen = format.configure(choice.options, report);
  // Binary files cannot be put into the JSON envelope (spec, Exports, rule 3).
  if (chosen.content === 'binary' && !responseOnly) report(`"${format.id}" needs response_only=true.`);
  return chosen;
}
