import { quoted, type Report } from './problems.js';

/** An option of a format or a modifier of a column: `name` or `name>value`. */
export interface ChoiceOption {
  readonly name: string;
  /** Decoded; null if the option has no `>`. */
  readonly value: string | null;
}

/** A parsed `name(:option(>value)?)*`, the common grammar of formats and columns (docs/rules/exports.md#grammar). */
export interface Choice {
  readonly name: string;
  readonly options: readonly ChoiceOption[];
}

/** A value may be an unescaped `:` (a delimiter that was encoded only once) if it is followed by nothing or by another option. */
const OPTION = /:([^:>]*)(?:>(:(?=:|$)|[^:]*))?/y;

/**
 * Parses a format or column. Values are percent-encoded once more than the query, so that they can contain `|`, `:` and `>`. Invalid and
 * repeated options are reported and left out.
 */
export function parseChoice(text: string, report: Report): Choice {
  const end = text.indexOf(':');
  if (end === -1) return { name: text, options: [] };
  const options = new Map<string, ChoiceOption>();
  const problems = new Set<string>();
  OPTION.lastIndex = end;
  while (OPTION.lastIndex < text.length) {
    const [, name = '', encoded] = OPTION.exec(text) ?? [];
    const value = encoded === undefined ? null : decodeOnce(encoded);
    if (name === '') problems.add('An option has no name.');
    else if (options.has(name)) problems.add(`${quoted(name)} is repeated.`);
    else if (value === undefined) problems.add(`The value of ${quoted(name)} is not percent-encoded correctly.`);
    else options.set(name, { name, value });
  }
  for (const problem of problems) report(problem);
  return { name: text.slice(0, end), options: [...options.values()] };
}

/** Prints a choice so that `parseChoice` returns an equal one. */
export function printChoice(choice: Choice): string {
  const options = choice.options.map(({ name, value }) => (value === null ? `:${name}` : `:${name}>${encodeURIComponent(value)}`));
  return choice.name + options.join('');
}

/** Decodes percent-encoding once; a single character is returned unchanged. Undefined if an escape is invalid. */
export function decodeOnce(text: string): string | undefined {
  if (text.length <= 1) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
