import { recordsV1 } from '@stechuhr/contracts';
import type { MongoDb } from '@stechuhr/mongo';
import type { EpochDay } from '@stechuhr/worktime';
import type { mongo } from 'mongoose';
import type { DocumentKind } from '../domain/stored-record.js';
import type { EmployeeSlice, TimeRecordsQuery } from '../domain/time-records.js';
import { documentsOf } from './collections.js';
import { PRESENT } from './record-store.js';
import { SliceTooLarge } from './slice-too-large.js';

/** A query for the records of some employees of an institution. */
export interface SliceQuery extends TimeRecordsQuery, EmployeeSlice {
  readonly institutionId: string;
}

/** Returns the first day to read for an employee. */
export function startOf(employeeId: string, { starts, fromDay }: SliceQuery): EpochDay {
  return starts.get(employeeId)?.day ?? fromDay;
}

export interface ContractDocument {
  readonly _id: string;
  readonly employee_id: string;
  readonly valid_from: EpochDay;
  readonly valid_to: EpochDay | null;
  readonly planned_minutes: number[];
  readonly overtime_min_hours: number | null;
  readonly overtime_max_hours: number | null;
}

/** Returns the contracts that overlap the requested days, by employee; with the part `earlier-contracts`, also those that ended before. */
export async function findContracts(database: MongoDb, query: SliceQuery): Promise<Map<string, recordsV1.Contract[]>> {
  const found = await findOwned<ContractDocument>(database, 'contract', { valid_from: { $lte: query.toDay } }, query);
  const isWanted = ({ employee_id, valid_to }: ContractDocument) => valid_to === null || valid_to >= startOf(employee_id, query);
  const touching = query.parts.has('earlier-contracts') ? found : found.filter(isWanted);
  return groupByEmployee(touching, (document) => ({
    id: document._id,
    validFrom: document.valid_from,
    validTo: document.valid_to ?? undefined,
    plannedMinutes: document.planned_minutes,
    overtimeMinHours: document.overtime_min_hours ?? undefined,
    overtimeMaxHours: document.overtime_max_hours ?? undefined,
  }));
}

export interface AbsenceDocument {
  readonly _id: string;
  readonly employee_id: string;
  readonly missing_type: string;
  readonly starts_on: EpochDay;
  readonly ends_on: EpochDay;
  readonly day_part: number;
  readonly hours_per_day: number | null;
}

/** Returns the absences that overlap the requested days, by employee. */
export async function findAbsences(database: MongoDb, query: SliceQuery): Promise<Map<string, recordsV1.Absence[]>> {
  const touching = await findTouching<AbsenceDocument>(database, 'absence', query);
  return groupByEmployee(touching, (document) => ({
    id: document._id,
    missingType: document.missing_type,
    startsOn: document.starts_on,
    endsOn: document.ends_on,
    dayPart: document.day_part,
    hoursPerDay: document.hours_per_day ?? undefined,
  }));
}

export interface ApplicationDocument {
  readonly _id: string;
  readonly employee_id: string;
  readonly missing_type: string;
  readonly starts_on: EpochDay;
  readonly ends_on: EpochDay;
  readonly status: keyof typeof statuses;
  readonly created_at: Date;
}

const statuses = {
  pending: recordsV1.ApplicationStatus.APPLICATION_STATUS_PENDING,
  approved: recordsV1.ApplicationStatus.APPLICATION_STATUS_APPROVED,
  declined: recordsV1.ApplicationStatus.APPLICATION_STATUS_DECLINED,
} as const;

/** Returns the absence applications that overlap the requested days, by employee. */
export async function findApplications(database: MongoDb, query: SliceQuery): Promise<Map<string, recordsV1.AbsenceApplication[]>> {
  const touching = await findTouching<ApplicationDocument>(database, 'absence_application', query);
  return groupByEmployee(touching, (document) => ({
    id: document._id,
    missingType: document.missing_type,
    startsOn: document.starts_on,
    endsOn: document.ends_on,
    status: statuses[document.status],
    createdAt: document.created_at.getTime() / 1000,
  }));
}

type Owned = mongo.Document & { readonly _id: string };

interface Dated extends Owned {
  readonly employee_id: string;
  readonly ends_on: EpochDay;
}

async function findTouching<T extends Dated>(database: MongoDb, kind: DocumentKind, query: SliceQuery): Promise<T[]> {
  const earliest = Math.min(query.fromDay, ...query.employeeIds.map((employeeId) => startOf(employeeId, query)));
  const around = { starts_on: { $lte: query.toDay }, ends_on: { $gte: earliest } };
  const found = await findOwned<T>(database, kind, around, query);
  return found.filter(({ employee_id, ends_on }) => ends_on >= startOf(employee_id, query));
}

/** The maximum number of records of a kind of several employees that are in memory together. A hundred employees have some thousand. */
const MAX_RECORDS = 10_000;

/** @throws SliceTooLarge if several employees have more than `MAX_RECORDS` */
async function findOwned<T extends Owned>(
  database: MongoDb,
  kind: DocumentKind,
  touching: mongo.Document,
  { institutionId, employeeIds, signal }: SliceQuery,
): Promise<T[]> {
  const filter = { institution_id: institutionId, employee_id: { $in: [...employeeIds] }, ...touching, ...PRESENT };
  const limit = employeeIds.length > 1 ? MAX_RECORDS + 1 : 0;
  const found = await documentsOf<Owned>(database, kind)
    .find<T>(filter, { projection: { outbox: 0 }, limit, signal })
    .toArray();
  if (limit > 0 && found.length === limit) throw new SliceTooLarge();
  return found.sort((a, b) => (a._id < b._id ? -1 : 1));
}

function groupByEmployee<T extends { readonly employee_id: string }, R>(
  documents: readonly T[],
  convert: (document: T) => R,
): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const document of documents) {
    const group = groups.get(document.employee_id);
    if (group === undefined) groups.set(document.employee_id, [convert(document)]);
    else group.push(convert(document));
  }
  return groups;
}
