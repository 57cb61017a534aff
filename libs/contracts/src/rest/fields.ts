import { z } from 'zod';
import { AppError, parseUuid, type FieldErrors } from '@stechuhr/kernel';

/** JSON Schema of a field, for the OpenAPI document. */
type FieldSchema = Readonly<Record<string, unknown>>;

type Outcome<T> = { readonly value: T } | { readonly problem: string };

const REQUIRED = 'This field is required.';
const NULL = 'This field may not be null.';
const MAX_QUOTED = 100;
const INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/**
 * A required field of a request body with the messages of Django REST framework (docs/rules/api.md#errors). `judge` sees any JSON value but
 * null and answers the value or one message.
 */
function field<T>(judge: (input: unknown) => Outcome<T>, schema: FieldSchema) {
  const type = z.unknown().transform((input, context): T => {
    const outcome: Outcome<T> = input === undefined ? { problem: REQUIRED } : input === null ? { problem: NULL } : judge(input);
    if ('value' in outcome) return outcome.value;
    context.addIssue({ code: 'custom', message: outcome.problem });
    return z.NEVER;
  });
  return type.meta({ override: schema });
}

/** A field that may be left out or null; both read as null. */
export function nullable<T>(inner: z.ZodType<T>): z.ZodType<T | null> {
  const type = z
    .unknown()
    .optional()
    .transform((input, context): T | null => {
      if (input === undefined || input === null) return null;
      const result = inner.safeParse(input);
      if (result.success) return result.data;
      for (const issue of result.error.issues) context.addIssue({ code: 'custom', message: issue.message });
      return z.NEVER;
    });
  return type.meta({ override: { anyOf: [inner.meta()?.override, { type: 'null' }] } });
}

/** A UUID in any case; read in lower case. */
export function uuidField(): z.ZodType<string> {
  return field<string>(
    (input) => {
      const value = typeof input === 'string' ? parseUuid(input) : undefined;
      return value === undefined ? { problem: 'Must be a valid UUID.' } : { value };
    },
    { type: 'string', format: 'uuid' },
  );
}

/** Text without NUL; surrounding blanks are cut, blank text is refused. `max` counts characters, 255 unless told. */
export function textField(max = 255): z.ZodType<string> {
  return field<string>(
    (input) => {
      if (typeof input !== 'string') return { problem: 'Not a valid string.' };
      const value = input.trim();
      if (value === '') return { problem: 'This field may not be blank.' };
      if (value.includes('\0')) return { problem: 'Null characters are not allowed.' };
      if (value.length > max) return { problem: `Ensure this field has no more than ${max} characters.` };
      return { value };
    },
    { type: 'string', minLength: 1, maxLength: max },
  );
}

/** One of a closed set of words. */
export function choiceField<const C extends string>(choices: readonly C[]): z.ZodType<C> {
  return field<C>(
    (input) => {
      const value = choices.find((choice) => choice === input);
      return value === undefined ? { problem: `"${shown(input)}" is not a valid choice.` } : { value };
    },
    { type: 'string', enum: choices },
  );
}

/** As far as it fits into a message. */
function shown(input: unknown): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

/** A calendar date `YYYY-MM-DD` of the years 0001 to 9999. */
export function dateField(): z.ZodType<string> {
  return field<string>(
    (input) =>
      typeof input === 'string' && z.iso.date().safeParse(input).success && !input.startsWith('0000')
        ? { value: input }
        : { problem: 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.' },
    { type: 'string', format: 'date' },
  );
}

/** An integer of at least `minimum` and at most `maximum`, as a JSON number or a string of ASCII digits. */
export function integerField({ minimum, maximum }: { readonly minimum: number; readonly maximum?: number }): z.ZodType<number> {
  return field<number>(
    (input) => {
      // "-0" is 0 like any other.
      const value = typeof input === 'string' && INTEGER.test(input) ? Number(input) + 0 : input;
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { problem: 'A valid integer is required.' };
      if (value < minimum) return { problem: `Ensure this value is greater than or equal to ${minimum}.` };
      if (maximum !== undefined && value > maximum) return { problem: `Ensure this value is less than or equal to ${maximum}.` };
      return { value };
    },
    { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) },
  );
}

/**
 * A decimal of at least 0 with two places, as a JSON number or a string without exponent; read as integer hundredths.
 *
 * @param maxHundredths the largest value, in hundredths
 */
export function hundredthsField({ maxHundredths }: { readonly maxHundredths: number }): z.ZodType<number> {
  return field<number>(
    (input) => {
      const text = typeof input === 'number' ? String(input) : input;
      if (typeof text !== 'string' || !DECIMAL.test(text)) return { problem: 'A valid number is required.' };
      const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
      if (fraction.length > 2) return { problem: 'Ensure that there are no more than 2 decimal places.' };
      const value = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
      if (text.startsWith('-') && value > 0) return { problem: 'Ensure this value is greater than or equal to 0.' };
      if (value > maxHundredths) return { problem: `Ensure this value is less than or equal to ${(maxHundredths / 100).toFixed(2)}.` };
      return { value };
    },
    { type: 'string', pattern: String.raw`^\d{1,5}(\.\d{1,2})?$` },
  );
}

/** What a schema of fields makes of a body: the fields that are good, and the messages about the others. */
export interface JudgedBody<T> {
  readonly values: Readonly<Partial<T>>;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads a JSON body with a schema of fields; all problems together become the details of an `invalid` (docs/rules/api.md#errors). Unknown
 * fields are ignored.
 */
export function parseBody<S extends z.ZodRawShape>(schema: z.ZodObject<S>, body: unknown): z.output<z.ZodObject<S>> {
  const result = schema.safeParse(fieldsOf(schema, body));
  if (result.success) return result.data;
  throw AppError.invalid(errorsOf(result.error) satisfies FieldErrors);
}

/**
 * As {@link parseBody}, for rules that look further than one field: what is good is answered even when other fields are not, so that all
 * problems can be reported together.
 */
export function judgeBody<S extends z.ZodRawShape>(schema: z.ZodObject<S>, body: unknown): JudgedBody<z.output<z.ZodObject<S>>> {
  const values: Record<string, unknown> = {};
  const errors: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(fieldsOf(schema, body))) {
    const result = z.safeParse(schema.shape[name] ?? z.never(), value);
    if (result.success) values[name] = result.data;
    else errors[name] = result.error.issues.map(({ message }) => message);
  }
  // Each value has been through the schema of its field.
  return { values: values as Partial<z.output<z.ZodObject<S>>>, errors };
}

/** As {@link judgeBody}, for the body of a PATCH: fields that it leaves out are neither required nor answered. */
export function judgePartialBody<S extends z.ZodRawShape>(schema: z.ZodObject<S>, body: unknown): JudgedBody<z.output<z.ZodObject<S>>> {
  const { values, errors } = judgeBody(schema, body);
  const given = new Set(typeof body === 'object' && body !== null ? Object.keys(body) : []);
  const onlyGiven = <T extends object>(fields: T): T => Object.fromEntries(Object.entries(fields).filter(([name]) => given.has(name))) as T;
  return { values: onlyGiven(values), errors: onlyGiven(errors) };
}

/** A missing key counts as undefined, so that its field can say in its own words that it is required. */
function fieldsOf<S extends z.ZodRawShape>(schema: z.ZodObject<S>, body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const got = body === null ? 'NoneType' : Array.isArray(body) ? 'list' : typeof body === 'object' ? 'dict' : scalarName(body);
    throw AppError.invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${got}.`] });
  }
  const given = new Map(Object.entries(body));
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, given.get(name)]));
}

function errorsOf(error: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of error.issues) (errors[String(issue.path[0] ?? 'non_field_errors')] ??= []).push(issue.message);
  return errors;
}

/** The name that Django REST framework gives a JSON scalar in its messages. */
function scalarName(body: unknown): string {
  switch (typeof body) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    default:
      return Number.isInteger(body) ? 'int' : 'float';
  }
}
