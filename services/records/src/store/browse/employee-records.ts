import type { MongoDb } from '@stechuhr/mongo';
import { monthOf, type EpochDay } from '@stechuhr/worktime';
import type { mongo } from 'mongoose';
import type { BrowsedRecords, BrowseQuery } from '../../domain/browse.js';
import { collectionOf, documentsOf } from '../collections.js';
import type { AbsenceDocument, ApplicationDocument, ContractDocument } from '../find-owned.js';
import type { MonthDocument } from '../month-document.js';
import { PRESENT } from '../record-store.js';
import { indexedPages, touching } from './indexed-pages.js';
import type { Source, Stored } from './source.js';

type EmployeeRecords = 'contracts' | 'workmonths' | 'absences' | 'absence-applications';

export function employeeRecords(database: MongoDb): { readonly [G in EmployeeRecords]: Source<BrowsedRecords[G]> } {
  const byStart = { present: PRESENT, idField: '_id', order: ['starts_on', 'employee_id', '_id'] };
  return {
    contracts: indexedPages<Stored & ContractDocument, BrowsedRecords['contracts']>(database, {
      documents: documentsOf(database, 'contract'),
      present: PRESENT,
      idField: '_id',
      // A contract without an end is valid permanently.
      during: ({ from, until }) => ({
        ...(until !== undefined && { valid_from: { $lte: until } }),
        ...(from !== undefined && { $or: [{ valid_to: null }, { valid_to: { $gte: from } }] }),
      }),
      sortedBy: { valid_from: ['valid_from'] },
      order: ['valid_from', 'employee_id', '_id'],
      convert: toContract,
    }),
    workmonths: indexedPages<MonthDocument & Stored, BrowsedRecords['workmonths']>(database, {
      documents: collectionOf(database, 'workmonths'),
      present: { deleted_at: null },
      idField: 'id',
      during: monthsTouching,
      sortedBy: { month: ['year', 'month'] },
      order: ['year', 'month', 'employee_id', '_id'],
      touchedField: 'touched_at',
      projection: { id: 1, employee_id: 1, year: 1, month: 1, opening_balance_minutes: 1, recorded_at: 1, modified_at: 1 },
      convert: toWorkmonth,
    }),
    absences: indexedPages<Stored & AbsenceDocument, BrowsedRecords['absences']>(database, {
      ...byStart,
      documents: documentsOf(database, 'absence'),
      during: (query) => touching('starts_on', 'ends_on', query),
      sortedBy: { starts_on: ['starts_on'] },
      convert: (document) => ({ ...daysOf(document), dayPart: document.day_part, hoursPerDay: document.hours_per_day ?? undefined }),
    }),
    'absence-applications': indexedPages<Stored & ApplicationDocument, BrowsedRecords['absence-applications']>(database, {
      ...byStart,
      documents: documentsOf(database, 'absence_application'),
      during: (query) => touching('starts_on', 'ends_on', query),
      sortedBy: { starts_on: ['starts_on'], created_at: ['created_at'] },
      convert: (document) => ({ ...daysOf(document), status: document.status, createdAt: document.created_at.getTime() / 1000 }),
    }),
  };
}

function monthsTouching({ from, until }: Pick<BrowseQuery, 'from' | 'until'>): mongo.Document {
  const [first, last] = [from, until].map((day) => (day === undefined ? undefined : monthOf(day)));
  const outside = [
    ...(first === undefined ? [] : [{ year: first.year, month: { $lt: first.month } }]),
    ...(last === undefined ? [] : [{ year: last.year, month: { $gt: last.month } }]),
  ];
  const year = { ...(first && { $gte: first.year }), ...(last && { $lte: last.year }) };
  return outside.length === 0 ? {} : { year, $nor: outside };
}

function toContract(document: Stored & ContractDocument): BrowsedRecords['contracts'] {
  return {
    id: document._id,
    employeeId: document.employee_id,
    validFrom: document.valid_from,
    validTo: document.valid_to ?? undefined,
    plannedMinutes: document.planned_minutes,
    overtimeMinHours: document.overtime_min_hours ?? undefined,
    overtimeMaxHours: document.overtime_max_hours ?? undefined,
  };
}

function toWorkmonth({ id, employee_id, year, month, opening_balance_minutes }: MonthDocument): BrowsedRecords['workmonths'] {
  return { id, employeeId: employee_id, year, month, openingBalanceMinutes: opening_balance_minutes ?? undefined };
}

interface Days {
  readonly _id: string;
  readonly employee_id: string;
  readonly missing_type: string;
  readonly starts_on: EpochDay;
  readonly ends_on: EpochDay;
}

function daysOf({ _id, employee_id, missing_type, starts_on, ends_on }: Days) {
  return { id: _id, employeeId: employee_id, missingType: missing_type, startsOn: starts_on, endsOn: ends_on };
}
