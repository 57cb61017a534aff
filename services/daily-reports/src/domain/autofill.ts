import type { Entry } from './entry.js';
import type { FieldTypeId } from './entry-value.js';
import type { Form, FormField } from './form.js';
import type { TrackedDay } from './tracked-day.js';

/** The tracked values that are compared with an entry. Copies of names do not count. */
export type TrackedValue =
  { readonly type: 'employee-working-times'; readonly hours: number } | { readonly type: 'activities'; readonly text: string };

/** An entry to write, or an entry to delete with a tombstone because the tracked time does not contain its value any more. */
export type AutofillWrite = { readonly fieldId: string } & (
  { readonly employeeId: string; readonly value: TrackedValue } | { readonly burns: Entry }
);

/** Returns the fields that are filled from time tracking, in the order of the form. */
export function autofillableFields(form: Form): readonly FormField[] {
  return form.fields.filter(({ config }) => 'autofillFromTracking' in config && config.autofillFromTracking);
}

/**
 * Returns the writes that bring system entries in line with the tracked time.
 *
 * @param newest the newest entry of each group of the report
 */
export function autofill(fields: readonly FormField[], days: readonly TrackedDay[], newest: readonly Entry[]): AutofillWrite[] {
  return fields.flatMap((field) => {
    const current = newest.filter(({ fieldId, value }) => fieldId === field.id && value.type === field.type);
    return fillField(field, days, current);
  });
}

/**
 * Returns whether the newest entry of a group may stay: it has the wanted value, or a person wrote it. `wanted` is undefined if the tracked
 * time does not contain the value any more.
 */
export function isSettled(newest: Entry | undefined, wanted: TrackedValue | undefined): boolean {
  if (newest !== undefined && newest.authorId !== null) return true;
  if (wanted === undefined) return newest === undefined || newest.burned;
  return newest !== undefined && !newest.burned && isSame(newest, wanted);
}

function fillField({ id: fieldId, type }: FormField, days: readonly TrackedDay[], current: readonly Entry[]): AutofillWrite[] {
  const open = new Map(current.map((entry) => [keyOf(entry.onBehalfOfId, entry.value), entry]));
  const writes: AutofillWrite[] = [];
  for (const day of days) {
    for (const value of valuesOf(day, type)) {
      const key = keyOf(day.employeeId, value);
      if (!isSettled(open.get(key), value)) writes.push({ fieldId, employeeId: day.employeeId, value });
      open.delete(key);
    }
  }
  for (const entry of open.values()) if (!isSettled(entry, undefined)) writes.push({ fieldId, burns: entry });
  return writes;
}

function valuesOf({ hours, activities }: TrackedDay, type: FieldTypeId): readonly TrackedValue[] {
  if (type === 'activities') return activities.map((text) => ({ type, text }));
  return type === 'employee-working-times' && hours > 0 ? [{ type, hours }] : [];
}

/** Returns a key that is unique for each group of one field. */
function keyOf(employeeId: string | null, value: Entry['value'] | TrackedValue): string {
  return JSON.stringify([employeeId, value.type === 'activities' ? value.text : null]);
}

function isSame({ value }: Entry, wanted: TrackedValue): boolean {
  if (wanted.type === 'activities') return value.type === 'activities' && value.text === wanted.text;
  return value.type === 'employee-working-times' && value.hours === wanted.hours;
}
