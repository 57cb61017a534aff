import { startPeriodic, type Periodic } from '@stechuhr/kernel';
import type { Logger } from '@stechuhr/service';
import { doNextStep } from './operations/do-next-step.js';
import type { Ports } from './operations/ports.js';

const SWEEP_MS = 1_000;
const AT_A_TIME = 50;

/** Does what is due for tasks without anybody asking; what failed is due again later. */
export function startAgenda(ports: Ports, logger: Logger): Periodic {
  const doWhatIsDue = async (signal: AbortSignal) => {
    for (let more = true; more && !signal.aborted;) {
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
  };
  return startPeriodic(doWhatIsDue, { intervalMs: SWEEP_MS, atOnce: true, logger, failure: 'what is due cannot be read' });
}
