import type { Caller } from '../domain/caller.js';
import { seesProject, type ProjectDay } from '../domain/project-day.js';
import type { TimeRecords } from './ports.js';
import { readAhead } from './read-ahead.js';

const EMPLOYEES_A_SLICE = 100;

/** The time of all employees on a project counts, whoever the caller is; only a project that the caller may not see has none. */
export async function* readProjectDay(
  { timeRecords }: { timeRecords: TimeRecords },
  caller: Caller,
  projectDay: ProjectDay,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!seesProject(caller, projectDay.projectId)) return;
  const everybody = { ...caller, departmentIds: null };
  const employeeIds = await timeRecords.employeesAround(everybody, projectDay, signal);
  const slices = Array.from({ length: Math.ceil(employeeIds.length / EMPLOYEES_A_SLICE) }, (_, slice) =>
    employeeIds.slice(slice * EMPLOYEES_A_SLICE, (slice + 1) * EMPLOYEES_A_SLICE),
  );
  const read = (ids: readonly string[]) => timeRecords.readProjectDay(everybody, ids, { ...projectDay, signal });
  for await (const messages of readAhead(slices, read)) yield* messages;
}
