import type { Caller } from '../domain/caller.js';
import { seesProject, type ProjectDay } from '../domain/project-day.js';
import { monthsAround } from '../domain/time-records.js';
import { countMonths, monthSlices, type Readers } from './month-slices.js';
import type { TimeRecords } from './ports.js';
import { readSlices } from './read-slices.js';

/**
 * Returns the workdays of all employees on a project, whichever employees the caller may see. Only the project itself must be visible to
 * the caller.
 */
export async function* readProjectDay(
  { timeRecords, readers }: { timeRecords: TimeRecords; readers: Readers },
  caller: Caller,
  projectDay: ProjectDay,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!seesProject(caller, projectDay.projectId)) return;
  const everybody = { ...caller, departmentIds: null };
  const [employeeIds, large] = await Promise.all([
    timeRecords.employeesAround(everybody, projectDay, signal),
    timeRecords.largeMonths(everybody, signal),
  ]);
  const months = monthsAround(projectDay.day, projectDay.day);
  const slices = monthSlices(employeeIds, (employeeId) => countMonths(months, employeeId, large), readers);
  const read = (ids: readonly string[]) => timeRecords.readProjectDay(everybody, ids, { ...projectDay, signal });
  yield* readSlices(slices, read);
}
