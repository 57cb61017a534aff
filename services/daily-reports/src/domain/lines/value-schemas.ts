import {
  comment,
  integer,
  longText,
  optionalInteger,
  optionalLocalDateTime,
  optionalNumber,
  optionalText,
  text,
} from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { weatherConditions, type EntryValue, type FieldTypeId, type ValueOf } from '../entry-value.js';
import { clockTime, number, readWind, signatureImage } from './value-fields.js';

/** Whether the line is a tombstone. It needs only the fields that identify the group that it deletes. */
type Burned = boolean;

/** Parses the value fields of a line into a value of its type. Missing fields that are copied from the employee are empty. */
export type ValueSchema<T extends FieldTypeId = FieldTypeId> = z.ZodType<ValueOf<T>>;

const MANY = 1_000_000;

const nullableText = comment;
const optionalImageKey = comment;

const wind = z
  .unknown()
  .optional()
  .transform((value, context): readonly [number, number] | null => {
    if (value === undefined || value === null) return null;
    const read = readWind(value);
    if ('value' in read) return read.value;
    context.addIssue(read.problem);
    return z.NEVER;
  });

const condition = z
  .unknown()
  .optional()
  .transform((value, context) => {
    if (value === undefined || value === null) return null;
    const known = weatherConditions.find((candidate) => candidate === value);
    if (known !== undefined) return known;
    context.addIssue(`must be one of ${weatherConditions.join(', ')}`);
    return z.NEVER;
  });

const schemas: { readonly [T in FieldTypeId]: (burned: Burned) => ValueSchema<T> } = {
  weather: () =>
    z
      .object({
        time: clockTime,
        temperature: optionalNumber(-100, 100),
        weather_condition: condition,
        precipitation: optionalNumber(0, MANY),
        cloud_cover: optionalNumber(0, 100),
        wind,
      })
      .transform(({ weather_condition: weatherCondition, cloud_cover: cloudCover, ...rest }) => {
        return { type: 'weather', ...rest, weatherCondition, cloudCover };
      }),
  'employee-working-times': (burned) =>
    z
      .object({
        hours: burned ? optionalNumber(0, 24).transform(orZero) : number(0, 24),
        employee_account_id: nullableText,
        employee_name: nullableText,
        employee_position: nullableText,
      })
      .transform((line) => ({
        type: 'employee-working-times',
        hours: line.hours,
        employeeAccountId: line.employee_account_id ?? '',
        employeeName: line.employee_name ?? '',
        employeePosition: line.employee_position ?? '',
      })),
  subcontractors: (burned) =>
    z
      .object({
        name: text,
        employees: burned ? optionalInteger(0, MANY).transform(orZero) : integer(0, MANY),
        hours: optionalNumber(0, MANY),
        comment,
      })
      .transform((line) => ({ type: 'subcontractors', ...line })),
  activities: () => z.object({ text: longText }).transform((line) => ({ type: 'activities', ...line })),
  string: () => z.object({ value: longText }).transform((line) => ({ type: 'string', ...line })),
  image: () =>
    z
      .object({
        image_id: text,
        image_key: optionalImageKey,
        thumb_key: optionalImageKey,
        latitude: optionalNumber(-90, 90),
        longitude: optionalNumber(-180, 180),
        taken_at: optionalLocalDateTime,
      })
      .transform(({ latitude, longitude, ...line }) => ({
        type: 'image',
        imageId: line.image_id,
        imageKey: line.image_key,
        thumbKey: line.thumb_key,
        latitude,
        longitude,
        takenAt: line.taken_at?.instant ?? null,
      })),
  signature: (burned) =>
    z
      .object({
        image: burned ? z.union([signatureImage, z.undefined().transform(() => ''), z.null().transform(() => '')]) : signatureImage,
        role: optionalText,
      })
      .transform((line) => ({ type: 'signature', ...line })),
};

export function valueSchemaOf(type: FieldTypeId, burned: boolean): z.ZodType<EntryValue> {
  return schemas[type](burned);
}

/** Returns the names of the value fields of a type. */
export function valueFieldsOf(type: FieldTypeId): readonly string[] {
  const schema: z.ZodType = schemas[type](false);
  if (!(schema instanceof z.ZodPipe && schema.in instanceof z.ZodObject)) throw new Error(`The schema of ${type} reads no object.`);
  return Object.keys(schema.in.shape);
}

function orZero(value: number | null): number {
  return value ?? 0;
}
