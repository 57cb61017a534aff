import { cutText, type FieldErrors } from '@stechuhr/kernel';

type Problems = FieldErrors[string];

const MORE = 'There are more problems.';
/** Enough for one message. With more fields than have so many bytes each, the last ones are left out. */
const LEAST_SHARE = 300;
/** A control character in JSON, as `\u0001`. No other character of JavaScript takes more. */
const BYTES_OF_CHARACTER = 6;

/**
 * Shortens the problems of a request, since a header that is too long breaks the connection. All fields stay, so that a client can correct them
 * together: each gets the same share, and what it does not need goes to the others. Of a field with more problems the first ones stay.
 */
export function fittingDetails(details: FieldErrors, maxBytes: number): FieldErrors {
  const fields = Object.entries(details);
  const sizes = fields.map(([field, problems]) => bytesOf(field, problems));
  const share = Math.max(LEAST_SHARE, shareOf(sizes, maxBytes));
  const kept: Record<string, Problems> = {};
  let left = maxBytes;
  for (const [field, problems] of fields) {
    const first = firstProblems(field, problems, share);
    left -= bytesOf(field, first);
    if (left < 0) break;
    kept[field] = first;
  }
  return Object.keys(kept).length > 0 ? kept : { non_field_errors: ['The request is invalid.'] };
}

/** Returns the size to which the largest fields have to be shortened so that all of them fit. */
function shareOf(sizes: readonly number[], maxBytes: number): number {
  let left = maxBytes;
  let others = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size > left / others) break;
    left -= size;
    others -= 1;
  }
  return others === 0 ? Infinity : Math.floor(left / others);
}

function firstProblems(field: string, problems: Problems, maxBytes: number): Problems {
  if (bytesOf(field, problems) <= maxBytes) return problems;
  const room = maxBytes - bytesOf(field, []);
  if (!areTexts(problems)) return firstOf(problems, { non_field_errors: [MORE] }, room);
  const [long = ''] = problems;
  const first = firstOf(problems, MORE, room);
  return first.length > 1 ? first : [cutText(long, Math.max(0, Math.floor(room / BYTES_OF_CHARACTER) - 1))];
}

/** Returns the first elements that fit, followed by `more`. */
function firstOf<T>(elements: readonly T[], more: T, maxBytes: number): readonly T[] {
  let left = maxBytes - Buffer.byteLength(JSON.stringify(more));
  const end = elements.findIndex((element) => (left -= Buffer.byteLength(JSON.stringify(element)) + 1) < 0);
  return [...elements.slice(0, end), more];
}

function areTexts(problems: Problems): problems is readonly string[] {
  return problems.every((problem) => typeof problem === 'string');
}

function bytesOf(field: string, problems: Problems): number {
  return Buffer.byteLength(JSON.stringify({ [field]: problems }));
}
