import { AppError } from '@stechuhr/kernel';
import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';
import { z } from 'zod';

/** A field of a response body: its schema, an example, and how it is read from a message. */
export interface Field<M, T = unknown> {
  readonly schema: z.ZodType<T>;
  readonly example: T;
  readonly read: (message: M) => T;
}

export type Fields<M> = Readonly<Record<string, Field<M>>>;

/** An object of a response body, in the order of its fields. */
export interface Shape<M> {
  readonly schema: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  toJson(message: M): object;
}

export function field<M, T>(schema: z.ZodType<T>, example: NoInfer<T>, read: (message: M) => NoInfer<T>): Field<M, T> {
  return { schema, example, read };
}

export function shapeOf<M>(fields: Fields<M>): Shape<M> {
  const entries = Object.entries(fields);
  return {
    schema: z.object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))),
    example: Object.fromEntries(entries.map(([name, { example }]) => [name, example])),
    toJson(message) {
      const json: Record<string, unknown> = {};
      for (const [name, { read }] of entries) json[name] = read(message);
      return json;
    },
  };
}

/** Returns a field that is a list of objects. Its example contains one of them. */
export function listField<M, P>(shape: Shape<P>, partsOf: (message: M) => readonly P[], description?: string): Field<M, object[]> {
  const list = z.array(shape.schema);
  return field<M, object[]>(description === undefined ? list : list.meta({ description }), [shape.example], (message) =>
    partsOf(message).map((part) => shape.toJson(part)),
  );
}

/** Returns a mandatory part of a message. @throws AppError `internal` if it is missing */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error(`The answer has no ${what}.`) });
  return value;
}

/** Converts a day since 1970-01-01 to a date, undefined to null. */
export function dateOf(day: number | undefined): string | null {
  return day === undefined ? null : formatLocalDate(day);
}

/** Converts an instant in seconds to local time, undefined to null. */
export function localTimeOf(instant: number | undefined): string | null {
  return instant === undefined ? null : formatLocalDateTime(instant);
}

/** Returns the word of the API for an enum value. */
export function wordFor(words: Readonly<Record<number, string>>, value: number): string {
  return present(words[value], `known word for ${String(value)}`);
}
