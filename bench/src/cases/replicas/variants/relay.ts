import { createEvent } from '@stechuhr/bus';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { environmentOf } from '../replica.js';
import { doneByReplicas, smallPieces } from '../shared-work.js';

/**
 * Publishing an event takes less time than a step of a task. More events are needed so that the work lasts longer than one sweep interval.
 */
const EVENTS_A_STEP = 3;

/** Creates documents with events, as if the process that wrote them had been killed before it published the events. */
export const run: Run = async (input) => {
  const url = environmentOf(input)['MONGODB_URL'] ?? '';
  const database = await connectMongo({ url, database: 'stechuhr_records', logger: createLogger('bench', 'warn') });
  const { warmUp, count } = smallPieces(input, input.size * EVENTS_A_STEP);
  const documents = Array.from({ length: count }, () => {
    const [_id, institution_id] = [newId(), newId()];
    const data = { id: _id };
    return {
      _id,
      institution_id,
      outbox: [createEvent({ type: 'records.workday.changed', institutionId: institution_id, data, clock: systemClock })],
    };
  });
  const ids = documents.flatMap(({ outbox }) => outbox.map(({ id }) => id));
  const createPieces = async (from: number, to: number): Promise<void> => {
    await database.connection.collection('projects').insertMany(documents.slice(from, to) as never);
  };
  const outcome = await doneByReplicas(input, { service: 'records', subject: 'stechuhr.events.>', ids, createPieces, warmUp });
  await database.connection.collection('projects').deleteMany({});
  await database.close();
  return outcome;
};
