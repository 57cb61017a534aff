import { byVersion } from '../../domain/month-contents.js';
import { asciiAt, BsonElements, bsonType, int32At, nameKey, numberAt, secondsAt } from './bson-elements.js';

/** Offset of a workday in the bytes of its month, and the fields by which it is selected and sorted. */
export interface IndexedWorkday {
  readonly at: number;
  readonly id: string;
  readonly startedAt: number;
  /** 0 while the shift is open. */
  readonly endedAt: number;
  readonly version: number;
  /** 0 if no live object wrote it. */
  readonly sequence: number;
}

/** A month as bytes, and the offsets of its fields; 0 means absent. */
export interface IndexedMonth {
  readonly bytes: Buffer;
  readonly id: number;
  readonly year: number;
  readonly month: number;
  readonly openingBalance: number;
  workdays: IndexedWorkday[];
}

const ID = nameKey('id');
const YEAR = nameKey('year');
const MONTH = nameKey('month');
const OPENING_BALANCE = nameKey('opening_balance_minutes');
const WORKDAYS = nameKey('workdays');
const STARTED_AT = nameKey('started_at');
const ENDED_AT = nameKey('ended_at');
const VERSION = nameKey('version');
const SEQUENCE = nameKey('sequence');

const inMonth = new BsonElements();
const inArray = new BsonElements();
const inWorkday = new BsonElements();

/** Returns the `_id` of a document, which is its first field. */
export function monthIdOf(bytes: Buffer): string {
  const first = inMonth.open(bytes, 0);
  return first.step() ? asciiAt(bytes, first.value) : '';
}

/** Finds the fields of a month and sorts its workdays by start, then id. */
export function indexMonth(bytes: Buffer): IndexedMonth {
  const fields = { id: 0, year: 0, month: 0, openingBalance: 0 };
  let workdays: IndexedWorkday[] = [];
  for (const field = inMonth.open(bytes, 0); field.step();) {
    if (field.name === ID) fields.id = field.value;
    else if (field.name === YEAR) fields.year = field.value;
    else if (field.name === MONTH) fields.month = field.value;
    else if (field.name === OPENING_BALANCE && field.type === bsonType.int32) fields.openingBalance = field.value;
    else if (field.name === WORKDAYS) workdays = indexWorkdays(bytes, field.value);
  }
  return { bytes, ...fields, workdays: workdays.sort(byStart) };
}

function indexWorkdays(bytes: Buffer, arrayAt: number): IndexedWorkday[] {
  const workdays: IndexedWorkday[] = [];
  for (const element = inArray.open(bytes, arrayAt); element.step();) workdays.push(indexWorkday(bytes, element.value));
  return workdays;
}

function indexWorkday(bytes: Buffer, at: number): IndexedWorkday {
  let id = '';
  let startedAt = 0;
  let endedAt = 0;
  let version = 0;
  let sequence = 0;
  for (const field = inWorkday.open(bytes, at); field.step();) {
    if (field.name === ID) id = asciiAt(bytes, field.value);
    else if (field.name === STARTED_AT) startedAt = secondsAt(bytes, field.value);
    else if (field.name === ENDED_AT && field.type === bsonType.date) endedAt = secondsAt(bytes, field.value);
    else if (field.name === VERSION) version = int32At(bytes, field.value);
    else if (field.name === SEQUENCE) sequence = numberAt(bytes, field.type, field.value);
  }
  return { at, id, startedAt, endedAt, version, sequence };
}

function byStart(a: IndexedWorkday, b: IndexedWorkday): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1);
}

/**
 * Removes stale copies: a workday that is being moved is stored in two months, and only the copy with the higher version is valid. Two that processes
 * created at the same time have the same version; of these, the copy stays that writers keep (`byAge`).
 *
 * @param months of one employee, in ascending order
 */
export function keepNewest(months: readonly IndexedMonth[]): void {
  const newest = new Map<string, IndexedWorkday>();
  let repeated = false;
  for (const { workdays } of months) {
    for (const workday of workdays) {
      const known = newest.get(workday.id);
      repeated ||= known !== undefined;
      if (known === undefined || byVersion(workday, known) <= 0) newest.set(workday.id, workday);
    }
  }
  if (!repeated) return;
  for (const month of months) month.workdays = month.workdays.filter((workday) => newest.get(workday.id) === workday);
}
