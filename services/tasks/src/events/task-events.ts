import { deletionConsumers, type ConsumeOptions } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import type { Stores } from '@stechuhr/mongo';
import type { Change } from '../domain/task.js';
import { removeTasksOfAccount } from '../operations/forget-deleted.js';
import type { Ports } from '../operations/ports.js';

/** The events of a change; those without a request belong to the trace of the request that started the task. */
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

/** A deleted account takes its tasks and their files along. */
export function accountDeletedConsumers(ports: Ports): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'tasks',
    kind: 'account',
    handler: ({ institutionId, id: accountId }) => removeTasksOfAccount(ports, { institutionId, accountId }),
  });
}

/** A deleted employee is no longer named among those that a file leaves out. */
export function employeeDeletedConsumers({ tasks }: Pick<Ports, 'tasks'>): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'tasks',
    kind: 'employee',
    handler: ({ institutionId, id }) => tasks.forgetSkipped(institutionId, id),
  });
}
