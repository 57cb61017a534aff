import { createHash } from 'node:crypto';
import { roundHalfUp, sumOfDecimals } from '@stechuhr/worktime';
import { newestOfGroups, type Entry } from './entry.js';
import { bytesOfTexts, type EntryValue, type ValueOf, type WeatherValue } from './entry-value.js';
import { fieldOf, type Form } from './form.js';

/** The fields of a report that lists show, computed from its entries. */
export interface Description {
  /** Whether the report exists: a day without any entry has none. */
  readonly hasEntries: boolean;
  readonly contributorCount: number;
  /** The employees, sorted by id, with their names at the time when the hours were written. */
  readonly employees: readonly { readonly id: string; readonly name: string }[];
  /** Rounded to two decimals. */
  readonly totalHours: number;
  /** Sorted by time. */
  readonly weather: readonly WeatherValue[];
  /** The newest entry of each type, in the order of the form. A signature has no image here, which is too large to be stored twice. */
  readonly newest: readonly Pick<Entry, 'id' | 'value'>[];
}

/**
 * Returns the current entries of a report, by sequence: the newest of each group, without tombstones and without entries whose field is not
 * in the form.
 */
export function currentEntries(form: Form, entries: readonly Entry[]): readonly Entry[] {
  return newestOfGroups(entries).filter((entry) => !entry.burned && fieldOf(form, entry) !== undefined);
}

/** Computes the listed fields of a report. @param entries all versions, of all fields */
export function describeReport(form: Form, entries: readonly Entry[]): Description {
  const current = currentEntries(form, entries);
  const working = current.flatMap(({ value, onBehalfOfId }) => (isOf(value, 'employee-working-times') ? [{ value, onBehalfOfId }] : []));
  const employees = working.flatMap(({ value, onBehalfOfId: id }) => (id === null ? [] : [{ id, name: value.employeeName }]));
  return {
    hasEntries: entries.length > 0,
    contributorCount: new Set(entries.flatMap(({ authorId }) => authorId ?? [])).size,
    employees: [...new Map(employees.map((employee) => [employee.id, employee])).values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    totalHours: roundHalfUp(sumOfDecimals(working.map(({ value }) => value.hours)), 2),
    weather: current.flatMap(({ value }) => (isOf(value, 'weather') ? [value] : [])).sort((a, b) => compare(a.time, b.time)),
    newest: newestOfTypes(form, current),
  };
}

/** Returns the size of the large parts of a description in bytes: names of many people, and texts. */
export function bytesOfDescription({ employees, newest }: Description): number {
  return [...employees, ...newest.map(({ value }) => value)].reduce((sum, part) => sum + bytesOfTexts(part), 0);
}

/** Cached, because every report of a page needs the fingerprint of its form, which may have hundreds of fields. */
const fingerprints = new WeakMap<Form, string>();

/**
 * Returns the fingerprint of a form. A report that was computed with another fingerprint has to be recomputed. Labels and options are not
 * included.
 */
export function formFingerprint(form: Form): string {
  const known = fingerprints.get(form);
  if (known !== undefined) return known;
  const described = form.fields.map(({ id, type }) => [id, type]);
  const fingerprint = createHash('sha256').update(JSON.stringify(described)).digest('base64url');
  fingerprints.set(form, fingerprint);
  return fingerprint;
}

function newestOfTypes(form: Form, current: readonly Entry[]): Description['newest'] {
  const types = [...new Set(form.fields.map(({ type }) => type))];
  return types.flatMap((type) => {
    const newest = current.findLast(({ value }) => value.type === type);
    return newest === undefined ? [] : [{ id: newest.id, value: withoutImage(newest.value) }];
  });
}

function withoutImage(value: EntryValue): EntryValue {
  return isOf(value, 'signature') ? { ...value, image: '' } : value;
}

function isOf<T extends EntryValue['type']>(value: EntryValue, type: T): value is ValueOf<T> {
  return value.type === type;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
