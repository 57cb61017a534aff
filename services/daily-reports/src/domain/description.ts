import { createHash } from 'node:crypto';
import { roundHalfUp, sumOfDecimals } from '@stechuhr/worktime';
import { newestOfGroups, type Entry } from './entry.js';
import { bytesOfTexts, type EntryValue, type ValueOf, type WeatherValue } from './entry-value.js';
import { fieldOf, type Form } from './form.js';

/** The fields of a report that lists show, computed from its entries. */
export interface Description {
  /** Whether the report exists: a day without entries has no report. */
  readonly hasEntries: boolean;
  readonly contributorCount: number;
  /** By id; names are those at the time when the hours were written. */
  readonly employees: readonly { readonly id: string; readonly name: string }[];
  /** With two decimals. */
  readonly totalHours: number;
  /** Ordered by time. */
  readonly weather: readonly WeatherValue[];
  /** The newest entry of each type, in the order of the form; signatures without their image, which is too large to be stored twice. */
  readonly newest: readonly Pick<Entry, 'id' | 'value'>[];
}

/** The valid entries of a report, by sequence: the newest of each group, unless it is a tombstone or the form lacks its field. */
export function currentEntries(form: Form, entries: readonly Entry[]): readonly Entry[] {
  return newestOfGroups(entries).filter((entry) => !entry.burned && fieldOf(form, entry) !== undefined);
}

/** @param entries all versions of all fields */
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

/** The size of the potentially large parts of a description: names of many people, and texts. */
export function bytesOfDescription({ employees, newest }: Description): number {
  return [...employees, ...newest.map(({ value }) => value)].reduce((sum, part) => sum + bytesOfTexts(part), 0);
}

/** Cached, because every report of a page needs the fingerprint of its form, which may have hundreds of fields. */
const fingerprints = new WeakMap<Form, string>();

/** Reports computed with a form of another fingerprint have to be recomputed. Labels and options do not matter. */
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
