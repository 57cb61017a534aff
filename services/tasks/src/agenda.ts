import type { SliceClaims } from '@stechuhr/bus';
import { createLimiter, startPeriodic, type Clock } from '@stechuhr/kernel';
import type { Logger } from '@stechuhr/service';
import type { Task } from './domain/task.js';
import { createDueSlices } from './due-slices.js';
import { doNextStep } from './operations/do-next-step.js';
import type { Ports } from './operations/ports.js';

const SWEEP_MS = 1_000;
const CONCURRENT_STEPS = 50;

/** Does the next steps of tasks when they are due, without a request. */
export interface Agenda {
  /** Schedules a step that is due at once; does not block. */
  take(task: Task): void;
  /** Starts no further steps, and waits for those that are running. */
  stop(): Promise<void>;
}

interface AgendaOptions {
  readonly database: DatabaseWatch;
  readonly logger: Logger;
}

/**
 * Each process does the steps that became due by its own writes. In addition, it regularly takes a share of the steps that became due by time
 * or that another process has left undone. A failed step becomes due again later.
 */
export function startAgenda(ports: Ports, claims: SliceClaims, { database, logger }: AgendaOptions): Agenda {
  const { tasks, clock } = ports;
  const doStep = async (task: Task): Promise<void> => {
    try {
      await doNextStep(ports, task);
    } catch (caught) {
      logger.warn({ err: caught, task_id: task.id, step: task.agenda.step }, 'a step of a task is put off');
    }
  };
  const doSlices = createDueSlices(tasks, claims, doStep);
  const doDueSteps = async (signal: AbortSignal): Promise<void> => {
    try {
      const upTo = new Date(clock.now()).toISOString();
      const firstDue = await tasks.dueUntil({ after: '', upTo }, 1);
      database.answered();
      // Usually nothing is due, and then no slice needs to be claimed.
      if (firstDue !== undefined) await doSlices(upTo, signal);
    } catch (caught) {
      database.failed();
      throw caught;
    }
  };
  const sweep = startPeriodic(doDueSteps, { intervalMs: SWEEP_MS, atOnce: true, logger, failure: 'what is due cannot be read' });
  const ownSteps = createOwnSteps(doStep);
  return {
    take: ownSteps.take,
    async stop() {
      const stopped = ownSteps.stop();
      await sweep.stop();
      await stopped;
    },
  };
}

/** The steps that became due by writes of this process. */
function createOwnSteps(doStep: (task: Task) => Promise<void>): Agenda {
  const limited = createLimiter(CONCURRENT_STEPS);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    take(task) {
      const step = limited(() => doStep(task), stopping.signal)
        // Rejects only if the process stops before the step has started; another process then does the step.
        .catch(() => undefined)
        .finally(() => running.delete(step));
      running.add(step);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Since when the database has been reachable. Without it workers cannot report, so that leases expire through no fault of theirs. */
export interface DatabaseWatch {
  reachableSince(): number;
  answered(): void;
  failed(): void;
}

/** Tracks since when the database has been reachable. */
export function watchDatabase(clock: Clock): DatabaseWatch {
  let isReachable = false;
  let since = clock.now();
  return {
    reachableSince: () => since,
    answered() {
      if (!isReachable) since = clock.now();
      isReachable = true;
    },
    failed: () => void (isReachable = false),
  };
}
