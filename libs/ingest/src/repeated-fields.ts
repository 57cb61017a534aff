import { cutText, repeatedNames } from '@stechuhr/kernel';

const MAX_SHOWN = 64;

/** Returns a sentence for each name that an object of a line has more than once. Only the last value of each is read. */
export function repeatedFields(json: string, line: object): readonly string[] {
  // The search takes longer than reading the line, so it is only done if the text has more names than the parsed line, or may have.
  if (countPossibleNames(json) === countNames(line)) return [];
  return repeatedNames(json).map((name) => `${cutText(name, MAX_SHOWN)} is repeated; its last value counts.`);
}

const QUOTE = 0x22;

/** Counts the colons behind a quotation mark: at least as many as the text has names, since texts may contain some, too. */
function countPossibleNames(json: string): number {
  let found = 0;
  for (let colon = json.indexOf(':'); colon >= 0; colon = json.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (isSpace(json.charCodeAt(before))) before -= 1;
    if (json.charCodeAt(before) === QUOTE) found += 1;
  }
  return found;
}

/** Whether a character may stand between a name and its colon. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
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
