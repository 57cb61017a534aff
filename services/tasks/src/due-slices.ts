import type { SliceClaims } from '@stechuhr/bus';
import { createLimiter } from '@stechuhr/kernel';
import type { Task } from './domain/task.js';
import type { DueRange, TaskStore } from './operations/ports.js';
import { createSliceSize, LONGEST_SLICE_MS } from './slice-size.js';

const CONCURRENT_STEPS = 50;
const TASKS_A_READ = 200;

/**
 * Does the due steps of tasks slice by slice; each slice belongs to one process at a time.
 * @returns does the steps that are due up to an instant (ISO 8601), until no slice is left or the signal aborts
 */
export function createDueSlices(
  tasks: TaskStore,
  claims: SliceClaims,
  doStep: (task: Task) => Promise<void>,
): (upTo: string, signal: AbortSignal) => Promise<void> {
  const sliceSize = createSliceSize();
  const doSlice = createSliceWork(tasks, doStep);
  return async (upTo, signal) => {
    const endOfSlice = (after: string) => tasks.dueUntil({ after, upTo }, sliceSize.steps());
    while (!signal.aborted) {
      const slice = await claims.take('tasks/agenda', endOfSlice);
      if (slice === undefined) return;
      const startedAt = performance.now();
      sliceSize.took(await doSlice(slice), performance.now() - startedAt);
      await slice.done();
    }
  };
}

/** @returns does the steps of a slice and resolves with the number of tasks that it has seen */
function createSliceWork(tasks: TaskStore, doStep: (task: Task) => Promise<void>): (slice: DueRange) => Promise<number> {
  const limited = createLimiter(CONCURRENT_STEPS);
  return async (slice) => {
    const startedAt = performance.now();
    const isLate = () => performance.now() - startedAt >= LONGEST_SLICE_MS;
    const seen = new Set<string>();
    for (let hasMore = true; hasMore;) {
      const due = await tasks.due(slice, TASKS_A_READ);
      // Steps that are skipped because it is late are found again when the claims start over at the beginning of the range.
      await Promise.all(due.map((task) => limited(async () => (isLate() ? undefined : doStep(task)))));
      // If all tasks were seen before, none of their steps can be done now.
      hasMore = due.length === TASKS_A_READ && due.some(({ id }) => !seen.has(id)) && !isLate();
      for (const { id } of due) seen.add(id);
    }
    return seen.size;
  };
}
