import jsonc from 'jsonc-parser';

/**
 * Describes why a text is not valid JSON, as the predicate of a sentence, with the position of the first error (1-based, in characters).
 */
export function jsonProblem(text: string): string {
  const first = firstError(text);
  if (first === undefined) return 'is not valid JSON';
  if (text.slice(first.offset).trim() === '')
    return `is not valid JSON: it ends too early, after character ${String(text.trimEnd().length)}`;
  return `is not valid JSON at character ${String(first.offset + 1)}`;
}

/** Ends the search at the first error: a text of a megabyte may have hundreds of thousands. */
class FirstError extends Error {
  constructor(readonly offset: number) {
    super('The text is not valid JSON.');
  }
}

const visitor: jsonc.JSONVisitor = {
  onError: (_code, offset) => {
    throw new FirstError(offset);
  },
};

/** Returns undefined if the error cannot be located: the parser is recursive, and a text may be nested deeper than the stack allows. */
function firstError(text: string): FirstError | undefined {
  try {
    jsonc.visit(text, visitor, { disallowComments: true });
  } catch (caught) {
    if (caught instanceof FirstError) return caught;
    if (!(caught instanceof RangeError)) throw caught;
  }
  return undefined;
}

/**
 * Returns the names that occur more than once in an object of a valid JSON text. `JSON.parse` keeps the last value of each. Empty if the text is
 * nested deeper than the stack allows.
 */
export function repeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  const finder: jsonc.JSONVisitor = {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(name) {
      const names = open.at(-1);
      if (names?.has(name) === true) repeated.add(name);
      names?.add(name);
    },
  };
  try {
    jsonc.visit(text, finder, { disallowComments: true });
  } catch (caught) {
    if (!(caught instanceof RangeError)) throw caught;
  }
  return [...repeated];
}
