import { createEvent } from '@stechuhr/bus';
import { newId, type Clock } from '@stechuhr/kernel';
import type { RecordEvents } from '../operations/ports.js';

export function recordEvents(clock: Clock): RecordEvents {
  return {
    changed: (kind, institutionId, id) => createEvent({ type: `records.${kind}.changed`, institutionId, data: { id }, clock }),
    deleted: (kind, institutionId, id) => createEvent({ type: `records.${kind}.deleted`, institutionId, data: { id }, clock }),
    importFinished: (institutionId, accepted, rejected) =>
      createEvent({ type: 'records.import.finished', institutionId, data: { id: newId(), accepted, rejected }, clock }),
  };
}
