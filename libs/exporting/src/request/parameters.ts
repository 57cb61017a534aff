import { parseBoolean, stockMessages } from '@stechuhr/kernel';
import type { Problems, Report } from '../problems.js';

/** The query parameters of a request, and the collector of their problems. An empty parameter counts as not given. */
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

  /** As sent; null if not given. */
  text(name: string): string | null {
    const text = Object.hasOwn(this.#texts, name) ? this.#texts[name] : undefined;
    return text === undefined || text === '' ? null : text;
  }

  /** A boolean, or its default. */
  flag(name: string, fallback: boolean): boolean {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = parseBoolean(text);
    if (value === undefined) this.report(name)(stockMessages.boolean);
    return value ?? fallback;
  }

  /** Pipe-separated elements without empty ones; null if there are none. */
  list(name: string): readonly string[] | null {
    const elements = this.text(name)
      ?.split('|')
      .filter((element) => element !== '');
    return elements === undefined || elements.length === 0 ? null : elements;
  }

  /** As {@link list}, for ids: a value of pipes only becomes an id that does not exist, so that it does not select everybody. */
  ids(name: string): readonly string[] | null {
    return this.text(name) === null ? null : (this.list(name) ?? ['']);
  }
}
