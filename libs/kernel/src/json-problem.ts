import jsonc from 'jsonc-parser';

/**
 * Describes why a text is not valid JSON, as the predicate of a sentence, with the position of the first error (1-based, in characters).
 */
export function jsonProblem(text: string): string {
  const errors: jsonc.ParseError[] = [];
  jsonc.parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return 'is not valid JSON';
  if (text.slice(first.offset).trim() === '')
    return `is not valid JSON: it ends too early, after character ${String(text.trimEnd().length)}`;
  return `is not valid JSON at character ${String(first.offset + 1)}`;
}
