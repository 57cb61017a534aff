import { z } from 'zod';

/** The messages of an interface (REST API or import) for problems with a field. */
export interface FieldWords {
  readonly missing: string;
  readonly null: string;
  readonly text: string;
  readonly blank: string;
  readonly nul: string;
  readonly tooLong: (maxCharacters: number) => string;
  readonly uuid: string;
  readonly date: string;
  readonly integer: (bounds: IntegerBounds) => string;
  readonly tooSmall: (bounds: IntegerBounds) => string;
  readonly tooLarge: (bounds: IntegerBounds) => string;
  readonly amount: (input: unknown) => string;
  readonly choice: (input: unknown, choices: readonly (string | number)[]) => string;
}

/** Inclusive bounds. */
export interface IntegerBounds {
  readonly min: number;
  readonly max?: number;
}

/** Maximum number of characters of a name, label or number. */
const MAX_LINE = 255;
/** Maximum number of characters of a remark. */
export const MAX_REMARK = 10_000;

// Five digits before the decimal point and two after it: up to 99999.99.
const AMOUNT = /^\d{1,5}(\.\d{1,2})?$/;

/** The validators of single fields. Each reports at most one problem. */
export interface Fields {
  /** A name, label or number: not blank; surrounding whitespace is trimmed. */
  text(maxCharacters?: number): z.ZodString;
  /** Like `text`, but may be blank. */
  line(maxCharacters?: number): z.ZodString;
  /** A free text, which is kept unchanged. */
  remark(maxCharacters?: number): z.ZodString;
  /** Accepts upper and lower case; returns lower case. */
  uuid(): z.ZodGUID;
  /** A calendar date `YYYY-MM-DD` of the years 0001 to 9999. */
  date(): z.ZodISODate;
  integer(bounds: IntegerBounds): z.ZodInt;
  /** A decimal from 0 to 99999.99 with at most two decimal places, as text; returned in hundredths. */
  amount(): z.ZodType<number, string>;
  choice<const C extends string | number>(...choices: readonly C[]): z.ZodLiteral<C>;
}

/**
 * Creates the validators with the messages of an interface. The API and imports use the same validators, and the OpenAPI document is
 * derived from them, so that each bound is defined only once.
 */
export function fieldsIn(words: FieldWords): Fields {
  const withMessage = (wrong: (input: unknown) => string) => ({ ...typeError(words, wrong), abort: true });
  const anyText = () => z.string(withMessage(() => words.text));
  const storable = (text: z.ZodString, max: number) =>
    text
      .refine((value) => !value.includes('\0'), { error: words.nul, abort: true })
      .refine((value) => hasAtMost(max, value), { error: words.tooLong(max) })
      // A lone surrogate cannot be stored as UTF-8, so a repeated import would always look like a change.
      .overwrite((value) => value.toWellFormed())
      .meta({ maxLength: max });
  return {
    text: (max = MAX_LINE) =>
      storable(
        anyText()
          .trim()
          .min(1, { ...onlyFor.texts, error: words.blank, abort: true }),
        max,
      ),
    line: (max = MAX_LINE) => storable(anyText().trim(), max),
    remark: (max = MAX_REMARK) => storable(anyText(), max),
    uuid: () => z.guid(withMessage(() => words.uuid)).toLowerCase(),
    date: () => z.iso.date(withMessage(() => words.date)).refine(hasYear, { error: words.date }),
    integer: (bounds) => {
      const { min, max } = bounds;
      // −0 would be stored as another type than 0.
      const integer = z
        .int(withMessage(() => words.integer(bounds)))
        .min(min, { error: words.tooSmall(bounds), abort: true })
        .overwrite((value) => value + 0);
      return max === undefined ? integer : integer.max(max, { error: words.tooLarge(bounds) });
    },
    amount: () =>
      z
        .string(withMessage(words.amount))
        .regex(AMOUNT, { error: ({ input }) => words.amount(input) })
        .transform(hundredths),
    choice: (...choices) =>
      z.literal(
        choices,
        withMessage((input) => words.choice(input, choices)),
      ),
  };
}

/** An option for checks of a length, which zod otherwise applies to every value that has a length: a second problem for one of a wrong type. */
export const onlyFor: Readonly<Record<'texts' | 'lists', { readonly when: (payload: { readonly value: unknown }) => boolean }>> = {
  texts: { when: ({ value }) => typeof value === 'string' },
  lists: { when: ({ value }) => Array.isArray(value) },
};

/** The error option of zod. */
interface MessageOption {
  readonly error: (issue: { readonly input?: unknown }) => string;
}

/** Returns the message of a wrong type or format; missing values and null have their own messages. */
export function typeError(words: Pick<FieldWords, 'missing' | 'null'>, wrong: (input: unknown) => string): MessageOption {
  return { error: ({ input }) => (input === undefined ? words.missing : input === null ? words.null : wrong(input)) };
}

/** Whether the text is a calendar date `YYYY-MM-DD` of the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  return isoDate.safeParse(text).success;
}

const isoDate = z.iso.date().refine(hasYear);

function hasYear(date: string): boolean {
  return !date.startsWith('0000');
}

/** Whether a text has at most `max` characters, counted as code points rather than UTF-16 units: an emoji counts as one. */
function hasAtMost(max: number, text: string): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

function hundredths(amount: string): number {
  const [whole = '', places = ''] = amount.split('.');
  return Number(whole) * 100 + Number(places.padEnd(2, '0'));
}
