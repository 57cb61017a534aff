import { parseChoice } from '../grammar.js';
import { notAChoice, type Report } from '../problems.js';
import { csv } from './csv.js';
import type { ChosenFormat, Format } from './format.js';
import { json } from './json.js';
import { plain } from './plain.js';
import { table } from './table.js';
import { xlsx } from './xlsx.js';

/** The format of a request that names none. */
export const DEFAULT_FORMAT = 'csv';

/** All formats, for the reference page and the validator. */
export const formats: readonly Format[] = [csv, json, table, plain, xlsx];

const formatIds = formats.map(({ id }) => id);

/** The format of a request; if it is invalid, this is reported and csv is used instead. */
export function chooseFormat(text: string, responseOnly: boolean, report: Report, known: readonly Format[] = formats): ChosenFormat {
  const fallback = csv.configure([], report);
  const choice = parseChoice(text, report);
  const format = known.find(({ id }) => id === choice.name);
  if (format === undefined) {
    report(notAChoice(choice.name, formatIds));
    return fallback;
  }
  const chosen = format.configure(choice.options, report);
  // Binary data does not fit into the JSON of an envelope (spec, Exports, rule 3).
  if (chosen.content === 'binary' && !responseOnly) report(`"${format.id}" needs response_only=true.`);
  return chosen;
}
