import { boolean, date, defineKind, list, oneOf, required, text } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import type { FieldTypeId } from '../entry-value.js';
import type { FormField } from '../form.js';
import { fieldTypes } from '../field-types.js';

/** The maximum number of times of a weather field: one every half hour. */
const MAX_TIMES = 48;
/** The maximum number of times of all weather fields of a form. The capture of weather looks for each of them in every report of a day. */
const MAX_TIMES_OF_FORM = 96;

const CLOCK = /^([01]\d|2[0-3])[0-5]\d$/;

const TIMES = { type: 'array', uniqueItems: true, items: { type: 'string', pattern: CLOCK.source } };

const times = required<readonly string[]>((value) => {
  if (Array.isArray(value) && value.length > MAX_TIMES) return { problem: `may not have more than ${String(MAX_TIMES)} times` };
  const isTimes = Array.isArray(value) && value.every((time) => typeof time === 'string' && CLOCK.test(time));
  if (!isTimes) return { problem: 'must be a list of times like 0700' };
  return new Set(value).size === value.length ? { value: [...(value as readonly string[])].sort() } : { problem: 'must not repeat a time' };
}, TIMES);

const tracking = z
  .strictObject({ autofill_from_tracking: boolean })
  .transform((config) => ({ autofillFromTracking: config.autofill_from_tracking }));
const weather = z
  .strictObject({ times, autofill_from_api: boolean })
  .transform((config) => ({ times: config.times, autofillFromApi: config.autofill_from_api }));
const none = z
  .strictObject({})
  .nullish()
  .transform(() => ({}));

const field = z.object({
  id: text.describe('Id of the field, unique in the form.'),
  type: oneOf(...fieldTypes.map(({ id }): FieldTypeId => id)).describe('Type of its entries.'),
  label: text.describe('German label.'),
  config: z
    .unknown()
    .optional()
    .describe('Options of the type: {times, autofill_from_api} of weather, {autofill_from_tracking} of working times and activities.'),
});

/** Parses a field with the options of its type. */
const configured = field.transform(({ config, ...rest }, context): FormField => {
  const read = <T>(schema: z.ZodType<T>): T => {
    const parsed = schema.safeParse(config);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      context.addIssue({ code: 'custom', message: problemOf(issue), path: ['config', ...issue.path] });
    return z.NEVER;
  };
  switch (rest.type) {
    case 'weather':
      return { ...rest, type: rest.type, config: read(weather) };
    case 'employee-working-times':
    case 'activities':
      return { ...rest, type: rest.type, config: read(tracking) };
    default:
      return { ...rest, type: rest.type, config: read(none) };
  }
});

const schema = z
  .object({
    valid_from: date.describe('First day on which the form is active.'),
    fields: list(configured).describe('The fields, in their order.'),
  })
  .transform(({ valid_from: validFrom, fields }) => ({ validFrom, fields }));

/** The content of a form line. */
export type FormLine = z.output<typeof schema>;

export const formKind = defineKind({
  name: 'daily_report_form',
  excludesOthers: true,
  schema,
  contradictions({ fields }) {
    if (fields.length === 0) return ['fields must not be empty.'];
    const ids = fields.map(({ id }) => id);
    const repeated = new Set(ids.filter((id, at) => ids.indexOf(id) !== at));
    const times = fields.reduce((sum, { config }) => sum + ('times' in config ? config.times.length : 0), 0);
    return [
      ...Array.from(repeated, (id) => `fields must not repeat an id: ${id}.`),
      ...(times > MAX_TIMES_OF_FORM ? [`The weather fields of a form may not have more than ${String(MAX_TIMES_OF_FORM)} times.`] : []),
    ];
  },
});

function problemOf({ code, message }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys') return 'has no other options';
  return code === 'invalid_type' ? 'must be an object with the options of the type' : message;
}
