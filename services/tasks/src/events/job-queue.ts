import type { Bus } from '@stechuhr/bus';
import { deadLetterSubject, exportJobSubject, type DeadLetter, type ExportJobMessage } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { jobMessageId } from '../domain/lease.js';
import type { Task } from '../domain/task.js';
import type { Jobs } from '../operations/ports.js';

const DEAD_LETTER_ORIGIN = 'export';

export function createJobQueue(bus: Pick<Bus, 'publish'>, clock: Clock): Jobs {
  return {
    publish: (task) => bus.publish(exportJobSubject, payloadOf(task), { msgId: jobMessageId(task), ...traceOf(task) }),
    async bury(task) {
      const letter: DeadLetter = {
        subject: exportJobSubject,
        reason: task.failure?.reason ?? '',
        deliveries: task.attempt,
        failed_at: new Date(task.endedAt ?? clock.now()).toISOString(),
        payload: payloadOf(task),
      };
      const text = JSON.stringify(letter);
      const subject = deadLetterSubject({
        origin: DEAD_LETTER_ORIGIN,
        institutionId: task.owner.institutionId,
        bytes: Buffer.byteLength(text),
        number: Number.parseInt(task.id.slice(0, 8), 16),
      });
      await bus.publish(subject, text, { msgId: `dead:job:${task.id}`, ...traceOf(task) });
    },
  };
}

function payloadOf({ id, owner }: Task): string {
  return JSON.stringify({ task_id: id, institution_id: owner.institutionId } satisfies ExportJobMessage);
}

function traceOf({ traceparent }: Task): { readonly traceparent?: string } {
  return traceparent === undefined ? {} : { traceparent };
}
