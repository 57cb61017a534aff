/** Maximum length of a sheet name, in UTF-16 units. */
const MAX_LENGTH = 31;
const UNTITLED = 'Export';
const FORBIDDEN = /[[\]:*?/\\\0-\x1F\uFFFE\uFFFF]|^'|'$/g;
const HALF_CHARACTER_AT_END = /[\uD800-\uDBFF]$/;
/** Excel reserves this name. */
const RESERVED = 'history';

/** Assigns valid sheet names that are unique regardless of case and of how letters are composed. */
export class SheetNames {
  readonly #taken = new Set<string>([RESERVED]);
  readonly #ofSections: readonly string[];

  /** @param titles of all sections, so that additional sheets of a long section do not take their names */
  constructor(titles: readonly (string | null)[]) {
    this.#ofSections = titles.map((title) => this.#unique(safe(title ?? '')));
  }

  /** Returns the name of the first sheet of a section. */
  first(section: number): string {
    return this.#ofSections[section] ?? UNTITLED;
  }

  /** Returns the name of an additional sheet of a section. */
  next(section: number): string {
    return this.#unique(this.first(section));
  }

  #unique(name: string): string {
    let unique = name;
    for (let count = 2; this.#taken.has(unique.toLowerCase()); count += 1) {
      const suffix = ` (${String(count)})`;
      unique = cut(name, MAX_LENGTH - suffix.length) + suffix;
    }
    this.#taken.add(unique.toLowerCase());
    return unique;
  }
}

function safe(title: string): string {
  // Trimmed again after truncation, because the characters at the end of the name are checked next.
  return cut(title.normalize('NFC').trim(), MAX_LENGTH).trim().replace(FORBIDDEN, '_') || UNTITLED;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(HALF_CHARACTER_AT_END, '');
}
