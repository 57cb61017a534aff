import { MAX_EXAMPLES, RemainsCounter, slicesByInstitution, type Inspection, type InspectionTerms, type Remains } from '@stechuhr/kernel';
import { fileKey } from '../domain/file-keys.js';
import { TARGET_MS } from '../domain/periods.js';
import { endWithoutFile } from './check-file.js';
import type { Ports } from './ports.js';

const FILES = 'exports/';
const FILES_AT_ONCE = 500;

/** Returns the inspections of tasks and their files. */
export function taskInspections(ports: Ports): readonly Inspection[] {
  return [
    { check: 'overdue-tasks', place: 'tasks', inspect: (terms) => overdue(ports, terms) },
    { check: 'lost-files', place: FILES, inspect: (terms) => lostFiles(ports, terms) },
    { check: 'orphaned-files', place: FILES, inspect: (terms) => orphanedFiles(ports, terms) },
  ];
}

/** Finds overdue steps: expired leases that are not counted, jobs that are not published, files and tasks that are not removed. */
async function overdue({ tasks, clock }: Ports, { olderThanMs }: InspectionTerms): Promise<Remains> {
  const { count, ids } = await tasks.overdue(clock.now() - olderThanMs, MAX_EXAMPLES);
  return { count, examples: ids, repaired: 0 };
}

/** Finds tasks that offer a file for download which the store does not have. */
async function lostFiles(ports: Ports, { repair, signal }: InspectionTerms): Promise<Remains> {
  const { tasks, files, clock } = ports;
  const found = new RemainsCounter();
  for await (const task of tasks.finishedSince(clock.now() - TARGET_MS)) {
    signal.throwIfAborted();
    if (await files.has(fileKey(task, task.attempt))) continue;
    found.add(task.id);
    if (!repair) continue;
    await endWithoutFile(ports, task.owner, task);
    found.repaired += 1;
  }
  return found;
}

/** Finds files without a task. A deleted task is known until its files are removed. */
async function orphanedFiles({ tasks, files, clock }: Ports, { olderThanMs, repair, signal }: InspectionTerms): Promise<Remains> {
  const found = new RemainsCounter();
  const until = clock.now() - olderThanMs;
  for await (const { institutionId, items } of slicesByInstitution(files.list(), FILES_AT_ONCE)) {
    signal.throwIfAborted();
    const ids = items.map(({ taskId }) => taskId);
    const known = await tasks.existing(institutionId, ids);
    const orphaned = items.filter(({ taskId, modifiedAt }) => !known.has(taskId) && modifiedAt <= until).map(({ key }) => key);
    for (const key of orphaned) found.add(key);
    if (!repair) continue;
    await files.remove(orphaned);
    found.repaired += orphaned.length;
  }
  return found;
}
