import { z } from 'zod';

/** The messages of one edge (API or import) about fields. */
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

/** Both inclusive. */
export interface IntegerBounds {
  readonly min: number;
  readonly max?: number;
}

/** Maximum length of a name, label or number, in characters. */
const MAX_LINE = 255;
/** Maximum length of a remark, in characters. */
export const MAX_REMARK = 10_000;

// Five digits before the decimal point and two after it: up to 99999.99.
const AMOUNT = /^\d{1,5}(\.\d{1,2})?$/;

/** Validators of single fields. Each reports at most one problem. */
export interface Fields {
  /** A name, label or number: not blank; surrounding blanks are removed. */
  text(maxCharacters?: number): z.ZodString;
  /** Like `text`, but may be blank. */
  line(maxCharacters?: number): z.ZodString;
  /** Kept unchanged. */
  remark(maxCharacters?: number): z.ZodString;
  /** In upper or lower case; converted to lower case. */
  uuid(): z.ZodGUID;
  /** A calendar date `YYYY-MM-DD` of the years 0001 to 9999. */
  date(): z.ZodISODate;
  integer(bounds: IntegerBounds): z.ZodInt;
  /** A decimal number from 0 to 99999.99 with at most two places, as text; converted to hundredths. */
  amount(): z.ZodType<number, string>;
  choice<const C extends string | number>(...choices: readonly C[]): z.ZodLiteral<C>;
}

/**
 * The validators with the messages of an edge. The API and imports use the same validators, and the OpenAPI document is derived from them, so that no
 * limit is defined twice.
 */
export function fieldsIn(words: FieldWords): Fields {
  /** The message for a wrong type or format; missing values have their own message. */
  const saying = (wrong: (input: unknown) => string) => ({
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? words.missing : input === null ? words.null : wrong(input)),
    abort: true,
  });
  const anyText = () => z.string(saying(() => words.text));
  const storable = (text: z.ZodString, max: number) =>
    text
      .refine((value) => !value.includes('\0'), { error: words.nul, abort: true })
      .refine((value) => hasAtMost(max, value), { error: words.tooLong(max) })
      // A lone surrogate cannot be stored as UTF-8, so that every repetition would look like a change.
      .overwrite((value) => value.toWellFormed())
      .meta({ maxLength: max });
  return {
    text: (max = MAX_LINE) => storable(anyText().trim().min(1, { error: words.blank, abort: true }), max),
    line: (max = MAX_LINE) => storable(anyText().trim(), max),
    remark: (max = MAX_REMARK) => storable(anyText(), max),
    uuid: () => z.guid(saying(() => words.uuid)).toLowerCase(),
    date: () => z.iso.date(saying(() => words.date)).refine(hasYear, { error: words.date }),
    integer: (bounds) => {
      const { min, max } = bounds;
      const integer = z.int(saying(() => words.integer(bounds))).min(min, { error: words.tooSmall(bounds), abort: true });
      return max === undefined ? integer : integer.max(max, { error: words.tooLarge(bounds) });
    },
    amount: () =>
      z
        .string(saying(words.amount))
        .regex(AMOUNT, { error: ({ input }) => words.amount(input) })
        .transform(hundredths),
    choice: (...choices) =>
      z.literal(
        choices,
        saying((input) => words.choice(input, choices)),
      ),
  };
}

/** Whether the text is a calendar date `YYYY-MM-DD` of the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  return isoDate.safeParse(text).success;
}

const isoDate = z.iso.date().refine(hasYear);

function hasYear(date: string): boolean {
  return !date.startsWith('0000');
}

/** Counts characters rather than UTF-16 units, so that an emoji counts once. */
function hasAtMost(max: number, text: string): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

function hundredths(amount: string): number {
  const [whole = '', places = ''] = amount.split('.');
  return Number(whole) * 100 + Number(places.padEnd(2, '0'));
}
