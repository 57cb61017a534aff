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

/** Returns undefined if the error cannot be located: the parser is recursive, and a text may be nested deeper than the stack allows. */
function firstError(text: string): jsonc.ParseError | undefined {
  const errors: jsonc.ParseError[] = [];
  try {
    jsonc.parse(text, errors, { disallowComments: true });
  } catch (caught) {
    if (!(caught instanceof RangeError)) throw caught;
  }
  return errors[0];
}
