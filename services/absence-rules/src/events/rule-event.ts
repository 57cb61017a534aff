import { createEvent } from '@stechuhr/bus';
import type { Clock } from '@stechuhr/kernel';
import type { Ports } from '../operations/ports.js';

export function ruleEvents(clock: Clock): Ports['ruleEvent'] {
  return (type, { institutionId }, { id, employeeId }) =>
    createEvent({ type, institutionId, data: { id, employee_id: employeeId }, clock });
}
