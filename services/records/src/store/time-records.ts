import type { MongoDb } from '@stechuhr/mongo';
import type { Caller } from '../domain/caller.js';
import type { TimeRecords } from '../operations/ports.js';
import { documentsOf } from './collections.js';
import { visibleEmployees } from './directory.js';
import { findAbsences, findApplications, findContracts, type SliceQuery } from './find-owned.js';
import { findMonths } from './find-months.js';
import { findStarts } from './find-starts.js';
import { PRESENT } from './record-store.js';
import { writeMessages } from './wire/write-messages.js';

export function createTimeRecords(database: MongoDb): TimeRecords {
  return {
    findStarts: ({ institutionId }, employeeIds, query) =>
      findStarts(database, { ...query, institutionId, employeeIds, starts: new Map() }),
    async read(caller, { employeeIds, starts }, query) {
      const slice = { ...query, institutionId: caller.institutionId, employeeIds, starts };
      const { parts } = query;
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
      return writeMessages(found, parts.has('edits'));
    },
  };
}

const nothing: ReadonlyMap<string, never[]> = new Map();

async function findVisible(database: MongoDb, caller: Caller, { employeeIds, signal }: SliceQuery): Promise<Set<string>> {
  const filter = { ...visibleEmployees(caller), ...PRESENT, _id: { $in: [...employeeIds] } };
  const found = await documentsOf(database, 'employee')
    .find(filter, { projection: { _id: 1 }, signal })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}
