/** One entry of a reference page (spec: discovery endpoints); page and validator read the same registries. Texts are German. */
export interface ReferenceEntry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** As it is written in query parameters, before percent-encoding; several are joined by `&`. */
  readonly example: string;
  /** Of a column: the row types that fill it, by id. */
  readonly filledBy?: FilledBy;
}

/** All row types, or those of the list. */
export type FilledBy = 'all' | readonly string[];

/** The parameters of an example. */
export function exampleParameters(example: string): Readonly<Record<string, string>> {
  const pairs = example.split('&').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
