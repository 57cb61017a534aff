import type { MongoDb } from '@stechuhr/mongo';
import type { ProjectDay } from '../domain/project-day.js';
import { monthsAround } from '../domain/time-records.js';
import { collectionOf } from './collections.js';
import type { MonthDocument } from './month-document.js';

type MonthOwner = Pick<MonthDocument, '_id' | 'employee_id'>;

interface ProjectDayQuery extends ProjectDay {
  readonly institutionId: string;
  readonly signal: AbortSignal;
}

/** Returns the ids of employees who have time on the project in the month of the day or a neighbouring month, sorted. */
export async function findProjectEmployees(
  database: MongoDb,
  { institutionId, projectId, day, signal }: ProjectDayQuery,
): Promise<string[]> {
  const months = monthsAround(day, day);
  const filter = {
    institution_id: institutionId,
    'workdays.timespans.project_id': projectId,
    // Around New Year these conditions also match other months of the two years. This is harmless, because the result is only a superset of
    // the employees.
    year: { $in: [...new Set(months.map(({ year }) => year))] },
    month: { $in: months.map(({ month }) => month) },
    deleted_at: null,
  };
  const found = await collectionOf<MonthDocument>(database, 'workmonths')
    .find<MonthOwner>(filter, { projection: { employee_id: 1 }, signal })
    .toArray();
  return [...new Set(found.map(({ employee_id }) => employee_id))].sort();
}
