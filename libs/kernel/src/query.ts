import { isCalendarDate } from './fields.js';
import { UUID } from './ids.js';
import { stockMessages } from './stock-fields.js';

const DAY = String.raw`\d{4}-\d{2}-\d{2}`;
const TIME = String.raw`T\d{2}:\d{2}`;

/**
 * The formats of query parameters as regular expressions for JSON Schema. The OpenAPI document uses them, so they are defined next to the
 * parsers.
 */
export const queryPatterns = {
  ids: listOf(UUID),
  /** A list of words from a fixed set; the words are inserted into the regular expression unescaped. */
  choices: (words: readonly string[]) => listOf(`(${words.join('|')})`),
  /** Sort fields, each optionally prefixed with a minus. */
  order: (fields: readonly string[]) => listOf(`-?(${fields.join('|')})`),
  range: `^${DAY}\\|${DAY}$`,
  /** Either side may be empty. */
  openRange: `^(${DAY})?\\|(${DAY})?$`,
  /** A local time in a response. */
  localDateTime: `^${DAY}${TIME}:\\d{2}$`,
  /** A local time in a request: seconds are optional. */
  localDateTimeInput: `^${DAY}${TIME}(:\\d{2})?$`,
  /** The id of a daily report: project and date. */
  projectAndDay: `^${UUID}\\|${DAY}$`,
} as const;

function listOf(one: string): string {
  return `^${one}(\\|${one})*$`;
}

/** Which sides of a range are required. */
export type RangeSides = 'both' | 'either';

/**
 * Checks the sides of a `daterange`: first their number, then whether they are dates, then their order.
 *
 * @param sides the texts between the pipes; an empty text is a missing side
 * @returns an error message of the API; undefined if the range is valid
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
