import type { Logger } from '@stechuhr/service';
import { doNextStep } from './operations/do-next-step.js';
import type { Ports } from './operations/ports.js';

/** Does what is due for tasks, without a request. */
export interface AgendaRunner {
  /** Notifies the agenda that something is due; returns at once. */
  notify(): void;
  stop(): Promise<void>;
}

const SWEEP_MS = 1_000;
const AT_A_TIME = 50;

export function startAgenda(ports: Ports, logger: Logger): AgendaRunner {
  const state = { isRunning: false, isStopping: false, asked: 0 };
  let finished = Promise.resolve();
  const run = async () => {
    state.isRunning = true;
    let answered: number;
    do {
      answered = state.asked;
      await sweep(ports, logger, () => state.isStopping);
      // Who asked meanwhile may have been overlooked.
    } while (state.asked !== answered && !state.isStopping);
    state.isRunning = false;
  };
  const notify = () => {
    state.asked += 1;
    if (!state.isRunning && !state.isStopping) finished = run();
  };
  const timer = setInterval(notify, SWEEP_MS);
  notify();
  return {
    notify,
    async stop() {
      state.isStopping = true;
      clearInterval(timer);
      await finished;
    },
  };
}

/** Never rejects: what failed is due again later. */
async function sweep(ports: Ports, logger: Logger, isStopping: () => boolean): Promise<void> {
  try {
    for (let more = true; more && !isStopping();) {
      const due = await ports.tasks.due(ports.clock.now(), AT_A_TIME);
      await Promise.all(
        due.map((task) =>
          doNextStep(ports, task).catch((caught: unknown) =>
            logger.warn({ err: caught, task_id: task.id, step: task.agenda.step }, 'a step of a task is put off'),
          ),
        ),
      );
      more = due.length === AT_A_TIME;
    }
  } catch (caught) {
    logger.warn({ err: caught }, 'what is due cannot be read');
  }
}
