import { parseBoolean, stockMessages } from '@stechuhr/kernel';
import type { Problems, Report } from '../problems.js';

/** The query parameters of a request, and the collector of their problems. Empty parameters count as missing. */
export class Parameters {
  readonly #texts: Readonly<Record<string, string>>;
  readonly problems: Problems;

  constructor(texts: Readonly<Record<string, string>>, problems: Problems) {
    this.#texts = texts;
    this.problems = problems;
  }

  /** Returns the function that reports problems of a parameter. */
  report(name: string): Report {
    return this.problems.of(name);
  }

  /** Returns the text as sent; null if missing. */
  text(name: string): string | null {
    const text = Object.hasOwn(this.#texts, name) ? this.#texts[name] : undefined;
    return text === undefined || text === '' ? null : text;
  }

  /** Returns a boolean, or its default; reports invalid values. */
  flag(name: string, fallback: boolean): boolean {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = parseBoolean(text);
    if (value === undefined) this.report(name)(stockMessages.boolean);
    return value ?? fallback;
  }

  /** Returns pipe-separated elements without empty ones; null if missing or without elements. */
  list(name: string): readonly string[] | null {
    const elements = this.text(name)
      ?.split('|')
      .filter((element) => element !== '');
    return elements === undefined || elements.length === 0 ? null : elements;
  }

  /** Like {@link list}, for ids. A text of only pipes gives an id that nobody has, so that it does not select everybody. */
  ids(name: string): readonly string[] | null {
    return this.text(name) === null ? null : (this.list(name) ?? ['']);
  }
}
