import { cutText, repeatedNames } from '@stechuhr/kernel';

const MAX_SHOWN = 64;
const END_OF_NAME = '":';

/** Returns a sentence for each name that an object of a line has more than once. Only the last value of each is read. */
export function repeatedFields(json: string, line: object): readonly string[] {
  // The search takes longer than reading the line, so it is only done if the text has more names than the parsed line, or may have.
  if (count(json, END_OF_NAME) === countNames(line)) return [];
  return repeatedNames(json).map((name) => `${cutText(name, MAX_SHOWN)} is repeated; its last value counts.`);
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

/** Counts the names of all objects in a value. Does not use recursion, because the value may be nested deeper than the stack allows. */
function countNames(value: object): number {
  let names = 0;
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner: unknown[] = Object.values(next);
    if (!Array.isArray(next)) names += inner.length;
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return names;
}
