import jsonc from 'jsonc-parser';

/** Why a text is not JSON, as the end of a sentence, with the position of the first error; characters are counted from 1. */
export function jsonProblem(text: string): string {
  const errors: jsonc.ParseError[] = [];
  jsonc.parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return 'is not valid JSON';
  if (text.slice(first.offset).trim() === '')
    return `is not valid JSON: it ends too early, after character ${String(text.trimEnd().length)}`;
  return `is not valid JSON at character ${String(first.offset + 1)}`;
}
