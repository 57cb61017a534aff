/** An option of a format or a modifier of a column: `name` or `name>value`. */
export interface ChoiceOption {
  readonly name: string;
  /** Decoded; null where the option is written without `>`. */
  readonly value: string | null;
}

/** `name(:option(>value)?)*`, the one grammar of formats and columns (design.md §7). */
export interface Choice {
  readonly name: string;
  readonly options: readonly ChoiceOption[];
}

/** A value may be a bare `:` (a delimiter that was encoded only once) when nothing but another option follows. */
const OPTION = /:([^:>]*)(?:>(:(?=:|$)|[^:]*))?/y;

/**
 * Reads a format or column. Values are percent-encoded once more than the query, so that `|`, `:` and `>` are safe in them.
 *
 * @returns what is wrong, in words, when the text does not follow the grammar or repeats an option
 */
export function parseChoice(text: string): Choice | string {
  const end = text.indexOf(':');
  if (end === -1) return { name: text, options: [] };
  const options: ChoiceOption[] = [];
  const seen = new Set<string>();
  OPTION.lastIndex = end;
  while (OPTION.lastIndex < text.length) {
    const [, name = '', encoded] = OPTION.exec(text) ?? [];
    if (name === '') return 'An option has no name.';
    if (seen.has(name)) return `"${name}" is repeated.`;
    seen.add(name);
    const value = encoded === undefined ? null : decodeOnce(encoded);
    if (value === undefined) return `The value of "${name}" is not percent-encoded correctly.`;
    options.push({ name, value });
  }
  return { name: text.slice(0, end), options };
}

/** Writes a choice so that `parseChoice` reads the same one. */
export function printChoice(choice: Choice): string {
  const options = choice.options.map(({ name, value }) => (value === null ? `:${name}` : `:${name}>${encodeURIComponent(value)}`));
  return choice.name + options.join('');
}

/** Undoes one percent-encoding; a single character stands for itself. Undefined where an escape is broken. */
export function decodeOnce(text: string): string | undefined {
  if (text.length <= 1) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
