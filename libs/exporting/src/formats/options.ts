import { parseBoolean } from '@stechuhr/kernel';
import type { ChoiceOption } from '../grammar.js';
import { notAChoice, type Report } from '../problems.js';
import type { ReferenceEntry } from '../reference.js';

/** An option of a format. */
export interface FormatOption<T> extends Omit<ReferenceEntry, 'id'> {
  readonly fallback: T;
  readonly parse: (value: string | null) => T | undefined;
  /** Completes "needs …". */
  readonly expected: string;
}

/** The options of a format by name. */
type Options<T> = { readonly [K in keyof T]: FormatOption<T[K]> };

/** Reads the options of a request. Missing options get their fallback; problems are reported. */
export function readOptions<T extends object>(known: Options<T>, given: readonly ChoiceOption[], report: Report): T {
  const names = Object.keys(known);
  for (const { name } of given) {
    if (!names.includes(name)) report(notAChoice(name, names, 'Option '));
  }
  const entries = Object.entries<FormatOption<unknown>>(known).map(([name, option]) => {
    const found = given.find((candidate) => candidate.name === name);
    const value = found === undefined ? option.fallback : option.parse(found.value);
    if (value === undefined) report(`Option "${name}" needs ${option.expected}.`);
    return [name, value ?? option.fallback];
  });
  // Each name has a value that its own option parsed, or that option's fallback.
  return Object.fromEntries(entries) as T;
}

/** Creates an option with a fixed set of words. */
export function oneOf<T extends string>(words: readonly T[], fallback: T, texts: Omit<ReferenceEntry, 'id'>): FormatOption<T> {
  const expected = words.map((word) => `"${word}"`).join(' or ');
  return { ...texts, fallback, expected, parse: (value) => words.find((word) => word === value) };
}

/** Creates a boolean option; without a value it is true. */
export function flag(fallback: boolean, texts: Omit<ReferenceEntry, 'id'>): FormatOption<boolean> {
  return { ...texts, fallback, expected: 'true or false', parse: (value) => (value === null ? true : parseBoolean(value)) };
}

/** Creates an option whose value is a single character, except a line break. */
export function character(fallback: string, texts: Omit<ReferenceEntry, 'id'>): FormatOption<string> {
  return {
    ...texts,
    fallback,
    expected: 'one character',
    parse: (value) => (value !== null && /^[^\r\n\0]$/u.test(value) ? value : undefined),
  };
}

/** Returns the reference entries of options. */
export function optionReference(options: Readonly<Record<string, FormatOption<unknown>>>): readonly ReferenceEntry[] {
  return Object.entries(options).map(([id, { title, description, example }]) => ({ id, title, description, example }));
}
