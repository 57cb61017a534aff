import type { MongoDb } from '@stechuhr/mongo';
import { windowOf, type Interval } from '@stechuhr/worktime';
import type { Caller } from '../domain/caller.js';
import { touches } from '../domain/project-day.js';
import type { RecordPart } from '../domain/time-records.js';
import type { TimeRecords } from '../operations/ports.js';
import { documentsOf } from './collections.js';
import { visibleEmployees } from './directory.js';
import { findAbsences, findApplications, findContracts, type SliceQuery } from './find-owned.js';
import { findLargeMonths } from './find-large-months.js';
import { findMonths } from './find-months.js';
import { findProjectEmployees } from './find-project-employees.js';
import { findStarts } from './find-starts.js';
import { PRESENT } from './record-store.js';
import { unlessTooLarge } from './slice-too-large.js';
import { int32At } from './wire/bson-elements.js';
import { writeMessages, type WorkdayChoice } from './wire/write-messages.js';

export function createTimeRecords(database: MongoDb): TimeRecords {
  return {
    findStarts: ({ institutionId }, employeeIds, query) =>
      findStarts(database, { ...query, institutionId, employeeIds, starts: new Map() }),
    read: (caller, slice, query) =>
      unlessTooLarge(readSlice(database, caller, { ...slice, ...query, institutionId: caller.institutionId })),
    largeMonths: ({ institutionId }, signal) => findLargeMonths(database, institutionId, signal),
    employeesAround: ({ institutionId }, projectDay, signal) => findProjectEmployees(database, { ...projectDay, institutionId, signal }),
    readProjectDay: (caller, employeeIds, { projectId, day, signal }) => {
      const days = { fromDay: day, toDay: day, parts: TIMESPANS, starts: new Map() };
      const slice = { ...days, institutionId: caller.institutionId, employeeIds, signal };
      return unlessTooLarge(readDay(database, caller, { projectId, slice }));
    },
  };
}

async function readSlice(database: MongoDb, caller: Caller, slice: SliceQuery): Promise<Iterable<Uint8Array>> {
  const { employeeIds, parts } = slice;
  const [visible, contracts, absences, applications, months] = await Promise.all([
    findVisible(database, caller, slice),
    parts.has('contracts') ? findContracts(database, slice) : nothing,
    parts.has('absences') ? findAbsences(database, slice) : nothing,
    parts.has('applications') ? findApplications(database, slice) : nothing,
    parts.has('workdays') || parts.has('timespans') ? findMonths(database, slice) : nothing,
  ]);
  const employees = employeeIds.filter((employeeId) => visible.has(employeeId));
  const found = employees.map((employeeId) => ({
    employeeId,
    contracts: contracts.get(employeeId) ?? [],
    absences: absences.get(employeeId) ?? [],
    applications: applications.get(employeeId) ?? [],
    months: months.get(employeeId) ?? [],
  }));
  return writeMessages(found, { withEdits: parts.has('edits') });
}

interface ProjectDaySlice {
  readonly projectId: string;
  readonly slice: SliceQuery;
}

async function readDay(database: MongoDb, caller: Caller, { projectId, slice }: ProjectDaySlice): Promise<Iterable<Uint8Array>> {
  const [visible, months] = await Promise.all([findVisible(database, caller, slice), findMonths(database, slice)]);
  const found = slice.employeeIds
    .filter((employeeId) => visible.has(employeeId))
    .map((employeeId) => ({ ...NOTHING_ELSE, employeeId, months: months.get(employeeId) ?? [] }));
  return writeMessages(found, { withEdits: false, only: onProjectDay(projectId, windowOf({ first: slice.fromDay, last: slice.toDay })) });
}

const TIMESPANS: ReadonlySet<RecordPart> = new Set<RecordPart>(['timespans']);
const NOTHING_ELSE = { contracts: [], absences: [], applications: [] };

/** Selects the workdays of the day whose bytes contain the project id. A comment that happens to contain the id only adds a workday. */
function onProjectDay(projectId: string, day: Interval): WorkdayChoice {
  return (workday, bytes) =>
    touches(workday, day) && bytes.subarray(workday.at, workday.at + int32At(bytes, workday.at)).includes(projectId, 0, 'latin1');
}

const nothing: ReadonlyMap<string, never[]> = new Map();

async function findVisible(database: MongoDb, caller: Caller, { employeeIds, signal }: SliceQuery): Promise<Set<string>> {
  const filter = { ...visibleEmployees(caller), ...PRESENT, _id: { $in: [...employeeIds] } };
  const found = await documentsOf(database, 'employee')
    .find(filter, { projection: { _id: 1 }, signal })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}
