import { isDeepStrictEqual } from 'node:util';
import { createEvent } from '@stechuhr/bus';
import { newId, type Clock } from '@stechuhr/kernel';
import type { Fields, KindName } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import type { RecordEvents } from '../operations/ports.js';

export function recordEvents(clock: Clock): RecordEvents {
  return {
    changed: (kind, { institutionId, id, fields }, before) => {
      const data = { id, ...kinds[kind].announced(fields), ...previous(kind, fields, before) };
      return createEvent({ type: `records.${kind}.changed`, institutionId, data, clock });
    },
    deleted: (kind, { institutionId, id, fields }) =>
      createEvent({ type: `records.${kind}.deleted`, institutionId, data: { id, ...kinds[kind].announced(fields) }, clock }),
    importFinished: (institutionId, accepted, rejected) =>
      createEvent({ type: 'records.import.finished', institutionId, data: { id: newId(), accepted, rejected }, clock }),
  };
}

/** Returns the previous employee and days of a record that moved, so that a consumer that mirrors records can find its copy. */
function previous(kind: KindName, fields: Fields, before: Fields | undefined) {
  if (before === undefined) return {};
  const { announced } = kinds[kind];
  const place = announced(before);
  return isDeepStrictEqual(place, announced(fields)) ? {} : { previous: place };
}
