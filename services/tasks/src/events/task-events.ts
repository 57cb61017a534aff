import { createEvent } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import type { Change } from '../domain/task.js';

/** The events of a change; those without a request belong to the trace of the request that started the task. */
export function taskEvents(clock: Clock): (change: Change) => readonly CloudEvent[] {
  return ({ task, facts }) =>
    facts.map(({ type, ...data }) => {
      const event = createEvent({ type, institutionId: task.owner.institutionId, data: { id: task.id, ...data }, clock });
      return event.traceparent === undefined && task.traceparent !== undefined ? { ...event, traceparent: task.traceparent } : event;
    });
}
