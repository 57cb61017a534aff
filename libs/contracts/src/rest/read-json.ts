import { AppError } from '@stechuhr/kernel';

/**
 * Parses JSON. Numbers with these names in its outermost object are returned as text, as they are written: `1e2` and `1.00` are not plain
 * integers, which JavaScript numbers would hide.
 *
 * @throws AppError `invalid`
 */
export function readJson(text: string, writtenNumbers: readonly string[] = []): unknown {
  const value = parse(text);
  if (!isObject(value)) return value;
  const wanted = writtenNumbers.filter((name) => typeof value[name] === 'number');
  if (wanted.length === 0) return value;
  for (const { name, number } of numbersOf(text)) if (wanted.includes(name)) value[name] = number;
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid', 'JSON parse error - the body is not JSON.', { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const NUMBER = /\s*(-?\d[\d.eE+-]*)/y;

/**
 * Yields the numbers of the outermost object as text, in order. A reviver of `JSON.parse` would be called for each value at any depth (half
 * a million in a megabyte), would take thirty times as long, and would fail on deeply nested values.
 *
 * @param text valid JSON
 */
function* numbersOf(text: string): Generator<{ readonly name: string; readonly number: string }, void, undefined> {
  let depth = 0;
  let latest = '';
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '"': {
        const quoted = matchAt(TEXT, text, at)?.[0] ?? '"';
        if (depth === 1) latest = quoted;
        at += quoted.length - 1;
        break;
      }
      case '{':
      case '[':
        depth += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        break;
      case ':': {
        const number = depth === 1 ? matchAt(NUMBER, text, at + 1)?.[1] : undefined;
        if (number !== undefined) yield { name: JSON.parse(latest) as string, number };
      }
    }
  }
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
