/** An entry of a reference page (spec: discovery endpoints). The pages and the validator use the same registries. Texts are German. */
export interface ReferenceEntry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Query parameters before percent-encoding; several are joined by `&`. */
  readonly example: string;
  /** For columns: the ids of the row types that fill it. */
  readonly filledBy?: FilledBy;
}

/** All row types, or those in the list. */
export type FilledBy = 'all' | readonly string[];

/** Parses the parameters of an example. */
export function exampleParameters(example: string): Readonly<Record<string, string>> {
  const pairs = example.split('&').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
