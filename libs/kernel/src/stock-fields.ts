import { z } from 'zod';
import { cutText } from './cut-text.js';
import { fieldsIn, onlyFor, typeError } from './fields.js';
import { jsonTypeName } from './json-type-name.js';
import { isNestedTooDeep } from './nesting.js';

const MAX_QUOTED = 100;
const DECIMAL = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/** Messages of Django REST framework that are also used outside of {@link stockFields}. */
export const stockMessages = {
  required: 'This field is required.',
  blank: 'This field may not be blank.',
  null: 'This field may not be null.',
  text: 'Not a valid string.',
  uuid: 'Must be a valid UUID.',
  date: 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
  boolean: 'Must be a valid boolean.',
} as const;

const MISSING = { missing: stockMessages.required, null: stockMessages.null };

/** Validators with the messages of Django REST framework, which clients of the API expect. */
export const stockFields = fieldsIn({
  ...MISSING,
  text: stockMessages.text,
  blank: stockMessages.blank,
  nul: 'Null characters are not allowed.',
  tooLong: (max) => `Ensure this field has no more than ${String(max)} characters.`,
  uuid: stockMessages.uuid,
  date: stockMessages.date,
  integer: () => 'A valid integer is required.',
  tooSmall: ({ min }) => atLeast(min),
  tooLarge: ({ max }) => `Ensure this value is less than or equal to ${String(max)}.`,
  amount: amountProblem,
  choice: (input) => `"${shown(input)}" is not a valid choice.`,
});

/** The number of elements of a list in a request body. */
interface ListBounds {
  readonly max: number;
  /** False by default. */
  readonly mayBeEmpty?: boolean;
}

/** A list of a request body, with the messages of Django REST framework. */
export function stockList<T>(element: z.ZodType<T>, { max, mayBeEmpty = false }: ListBounds): z.ZodArray<z.ZodType<T>> {
  const list = z
    .array(element, typeError(MISSING, notAList))
    .max(max, { ...onlyFor.lists, error: `Ensure this field has no more than ${String(max)} elements.` });
  return mayBeEmpty ? list : list.min(1, { ...onlyFor.lists, error: 'This list may not be empty.' });
}

/** A boolean of a request body, with the messages of Django REST framework. */
export function stockBoolean(): z.ZodBoolean {
  return z.boolean(typeError(MISSING, () => stockMessages.boolean));
}

/** The message for a value that is no list. */
export function notAList(value: unknown): string {
  return `Expected a list of items but got type "${jsonTypeName(value)}".`;
}

/** Messages for invalid local times. */
export const dateTimeProblems = {
  malformed: 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDTHH:MM:SS.',
  offset: 'Datetime has wrong format. It is local time (Europe/Berlin) without Z or UTC offset.',
  early: 'Ensure this value is greater than or equal to 1970-01-01T00:00:00.',
  nonexistent: 'This local time does not exist.',
} as const;

function atLeast(min: number): string {
  return `Ensure this value is greater than or equal to ${String(min)}.`;
}

function amountProblem(input: unknown): string {
  if (typeof input !== 'string' || !DECIMAL.test(input)) return 'A valid number is required.';
  const [, places = ''] = input.split('.');
  if (places.length > 2) return 'Ensure that there are no more than 2 decimal places.';
  return input.startsWith('-') ? atLeast(0) : 'Ensure this value is less than or equal to 99999.99.';
}

/** Returns an input as text, truncated for a message. */
function shown(input: unknown): string {
  const text = typeof input === 'string' ? input : isNestedTooDeep(input) ? '…' : JSON.stringify(input);
  return cutText(text, MAX_QUOTED);
}
