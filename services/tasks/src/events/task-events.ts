import { deletionConsumers, type ConsumeOptions } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import type { Stores } from '@stechuhr/mongo';
import type { Change } from '../domain/task.js';
import { removeTasksOfAccount } from '../operations/forget-deleted.js';
import type { Ports } from '../operations/ports.js';

/** Returns the events of a change. Events of changes without a request belong to the trace of the request that started the task. */
export function taskEvents(clock: Clock, { createEvent }: Pick<Stores<unknown>, 'createEvent'>): (change: Change) => readonly CloudEvent[] {
  return ({ task, facts }) =>
    facts.map(({ type, ...data }) =>
      createEvent({
        type,
        institutionId: task.owner.institutionId,
        data: { id: task.id, ...data },
        clock,
        traceparent: task.traceparent,
      }),
    );
}

/** Returns the consumers that delete the tasks and files of deleted accounts. */
export function accountDeletedConsumers(ports: Ports): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'tasks',
    kind: 'account',
    handler: ({ institutionId, id: accountId }) => removeTasksOfAccount(ports, { institutionId, accountId }),
  });
}

/** Returns the consumers that remove deleted employees from the lists of employees whom files leave out. */
export function employeeDeletedConsumers({ tasks }: Pick<Ports, 'tasks'>): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'tasks',
    kind: 'employee',
    handler: ({ institutionId, id }) => tasks.forgetSkipped(institutionId, id),
  });
}
