import { isCalendarDate } from './fields.js';
import { UUID } from './ids.js';
import { stockMessages } from './stock-fields.js';

const DAY = String.raw`\d{4}-\d{2}-\d{2}`;
const TIME = String.raw`T\d{2}:\d{2}`;

/**
 * What the texts of query parameters look like, as regular expressions of JSON Schema. The OpenAPI document takes them from here, beside
 * what reads them.
 */
export const queryPatterns = {
  ids: listOf(UUID),
  /** Some of a closed set of words, which are plain text in a regular expression. */
  choices: (words: readonly string[]) => listOf(`(${words.join('|')})`),
  /** Fields of a list, each with or without a minus. */
  order: (fields: readonly string[]) => listOf(`-?(${fields.join('|')})`),
  range: `^${DAY}\\|${DAY}$`,
  /** Either side may be empty. */
  openRange: `^(${DAY})?\\|(${DAY})?$`,
  /** A local time, in an answer. */
  localDateTime: `^${DAY}${TIME}:\\d{2}$`,
  /** A local time as it is read: seconds may be left out. */
  localDateTimeInput: `^${DAY}${TIME}(:\\d{2})?$`,
  /** The id of a daily report: project and day. */
  projectAndDay: `^${UUID}\\|${DAY}$`,
} as const;

function listOf(one: string): string {
  return `^${one}(\\|${one})*$`;
}

/** How many sides a range has to have. */
export type RangeSides = 'both' | 'either';

/**
 * What is wrong with the sides of a `daterange`: their number, then a date that is none, then their order.
 *
 * @param sides the texts between the pipes; an empty one is a side that is not given
 * @returns a message of the API; undefined when the range is good
 */
export function rangeProblem(sides: readonly string[], needed: RangeSides): string | undefined {
  const [first = '', last = ''] = sides;
  if (sides.length !== 2) return formProblem(needed);
  if (needed === 'both' && (first === '' || last === '')) return formProblem(needed);
  if (sides.some((side) => side !== '' && !isCalendarDate(side))) return stockMessages.date;
  return first !== '' && last !== '' && first > last ? 'The end of the range must not be before its start.' : undefined;
}

function formProblem(needed: RangeSides): string {
  return `The range must have the form YYYY-MM-DD|YYYY-MM-DD${needed === 'either' ? '; either side may be empty' : ''}.`;
}

/** Reads `true`, `false`, `1` or `0` in any case (docs/rules/api.md#query-parameters); undefined for anything else. */
export function parseBoolean(text: string): boolean | undefined {
  switch (text.toLowerCase()) {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return undefined;
  }
}
