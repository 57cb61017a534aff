import type { SliceClaims } from '@stechuhr/bus';
import { createLimiter, startPeriodic, type Clock } from '@stechuhr/kernel';
import type { Logger } from '@stechuhr/service';
import type { Task } from './domain/task.js';
import { doNextStep } from './operations/do-next-step.js';
import type { DueRange, Ports } from './operations/ports.js';
import { createSliceSize, LONGEST_SLICE_MS } from './slice-size.js';

const SWEEP_MS = 1_000;
const AT_A_TIME = 50;
const READ_AT_A_TIME = 200;

/** Does what is due for tasks without anybody asking. */
export interface Agenda {
  /** Does a step that is due at once, as soon as there is room; returns at once. */
  take(task: Task): void;
  /** Begins nothing more, and waits for what is being done. */
  stop(): Promise<void>;
}

/** Since when workers can report: without the database, reports fail too. */
function watchReach(clock: Clock): { since(): number; found(): void; lost(): void } {
  let isThere = false;
  let since = clock.now();
  return {
    since: () => since,
    found() {
      if (!isThere) since = clock.now();
      isThere = true;
    },
    lost: () => void (isThere = false),
  };
}

/**
 * Each process does what became due by its own writes, and a share of what becomes due by itself or stayed behind. What failed is due again
 * later.
 */
export function startAgenda(ports: Ports, claims: SliceClaims, logger: Logger): Agenda {
  const { tasks, clock } = ports;
  const limited = createLimiter(AT_A_TIME);
  const inSlice = createLimiter(AT_A_TIME);
  const sliceSize = createSliceSize();
  const stopping = new AbortController();
  const taken = new Set<Promise<void>>();
  const reach = watchReach(clock);
  const doStep = (task: Task) =>
    doNextStep(ports, task, reach.since()).catch((caught: unknown) =>
      logger.warn({ err: caught, task_id: task.id, step: task.agenda.step }, 'a step of a task is put off'),
    );
  const doSlice = async (slice: DueRange) => {
    const begunAt = performance.now();
    const isLate = () => performance.now() - begunAt >= LONGEST_SLICE_MS;
    const seen = new Set<string>();
    for (let more = true; more;) {
      const due = await tasks.due(slice, READ_AT_A_TIME);
      // What is left comes up again when the end was reached.
      await Promise.all(due.map((task) => inSlice(async () => (isLate() ? undefined : doStep(task)))));
      // Nothing moves any more when all of them were there before.
      more = due.length === READ_AT_A_TIME && due.some(({ id }) => !seen.has(id)) && !isLate();
      for (const { id } of due) seen.add(id);
    }
    sliceSize.took(seen.size, performance.now() - begunAt);
  };
  const doWhatIsDue = async (signal: AbortSignal) => {
    const upTo = new Date(clock.now()).toISOString();
    const due = await tasks.dueUntil({ after: '', upTo }, 1);
    reach.found();
    // Mostly there is nothing, and then nothing needs to be claimed.
    if (due === undefined) return;
    const lastAfter = (after: string) => tasks.dueUntil({ after, upTo }, sliceSize.steps());
    while (!signal.aborted) {
      const slice = await claims.take('tasks/agenda', lastAfter);
      if (slice === undefined) return;
      await doSlice(slice);
      await slice.done();
    }
  };
  const doOrNotice = async (signal: AbortSignal) => {
    try {
      await doWhatIsDue(signal);
    } catch (caught) {
      reach.lost();
      throw caught;
    }
  };
  const sweep = startPeriodic(doOrNotice, { intervalMs: SWEEP_MS, atOnce: true, logger, failure: 'what is due cannot be read' });
  return {
    take(task) {
      const step = limited(() => doStep(task), stopping.signal)
        // Another process does it when this one has stopped.
        .catch(() => undefined)
        .finally(() => taken.delete(step));
      taken.add(step);
    },
    async stop() {
      stopping.abort();
      await sweep.stop();
      await Promise.all(taken);
    },
  };
}
