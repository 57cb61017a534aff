import { AppError, jsonTypeName, stockFields, type FieldErrors, type IntegerBounds } from '@stechuhr/kernel';
import { z } from 'zod';

const INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/** Makes a field optional and nullable; a missing value is read as null. */
export function nullable<T>(inner: z.ZodType<T>): z.ZodType<T | null> {
  return inner.nullish().transform((value) => value ?? null);
}

/** An integer, as a JSON number or a string of ASCII digits. */
export function integerField(bounds: IntegerBounds): z.ZodType<number> {
  // Adding 0 converts -0 to 0.
  return z.preprocess(
    (input) => (typeof input === 'string' && INTEGER.test(input) ? Number(input) + 0 : input),
    stockFields.integer(bounds),
  );
}

/** An amount, as a JSON number or a string with optional sign and leading zeros, never with an exponent; converted to hundredths. */
export function amountField(): z.ZodType<number> {
  return z.preprocess(plainDecimal, stockFields.amount());
}

function plainDecimal(input: unknown): unknown {
  const text = typeof input === 'number' ? String(input) : input;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return text;
  const digits = text.replace(/^[+-]?0*(?=[0-9])/, '');
  return text.startsWith('-') && Number(text) < 0 ? `-${digits}` : digits;
}

/** The result of validating a body: the valid fields, and the messages for the others. */
export interface JudgedBody<T> {
  readonly values: Readonly<Partial<T>>;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/**
 * Parses a JSON body with a schema. Unknown fields are ignored.
 *
 * @throws AppError `invalid` with all problems as details (docs/rules/api.md#errors)
 */
export function parseBody<S extends z.ZodRawShape>(schema: z.ZodObject<S>, body: unknown): z.output<z.ZodObject<S>> {
  const result = schema.safeParse(fieldsOf(schema, body));
  if (result.success) return result.data;
  throw AppError.invalid(errorsOf(result.error) satisfies FieldErrors);
}

/**
 * Like {@link parseBody}, for rules that involve several fields: valid fields are returned even if others are invalid, so that all problems
 * can be reported together.
 */
export function judgeBody<S extends z.ZodRawShape>(schema: z.ZodObject<S>, body: unknown): JudgedBody<z.output<z.ZodObject<S>>> {
  const values: Record<string, unknown> = {};
  const errors: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(fieldsOf(schema, body))) {
    const result = z.safeParse(schema.shape[name] ?? z.never(), value);
    if (result.success) values[name] = result.data;
    else errors[name] = result.error.issues.map(({ message }) => message);
  }
  // Each value was parsed by the schema of its field.
  return { values: values as Partial<z.output<z.ZodObject<S>>>, errors };
}

/** Like {@link judgeBody}, for the body of a PATCH: missing fields are neither required nor returned. */
export function judgePartialBody<S extends z.ZodRawShape>(schema: z.ZodObject<S>, body: unknown): JudgedBody<z.output<z.ZodObject<S>>> {
  const { values, errors } = judgeBody(schema, body);
  const isGiven = (name: string) => Object.hasOwn(Object(body) as object, name);
  const onlyGiven = <T extends object>(fields: T): T => Object.fromEntries(Object.entries(fields).filter(([name]) => isGiven(name))) as T;
  return { values: onlyGiven(values), errors: onlyGiven(errors) };
}

/**
 * Returns the fields of a schema from a body. Missing ones are undefined, so that their validators report that they are required. Only these are
 * looked at: copying the hundred thousand fields that fit into a body would take longer than parsing it.
 */
function fieldsOf<S extends z.ZodRawShape>(schema: z.ZodObject<S>, body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw AppError.invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${jsonTypeName(body)}.`] });
  }
  const given = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, Object.hasOwn(given, name) ? given[name] : undefined]));
}

function errorsOf(error: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of error.issues) (errors[String(issue.path[0] ?? 'non_field_errors')] ??= []).push(issue.message);
  return errors;
}
