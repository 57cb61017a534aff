import { createEvent } from '@stechuhr/bus';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { environmentOf } from '../replica.js';
import { doneByReplicas, smallPieces } from '../shared-work.js';

/** An event takes less than a step, and work that is done between two sweeps says nothing. */
const EVENTS_A_STEP = 3;

/** Events of documents whose writer was killed before it published them. */
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
  const leave = async (from: number, to: number): Promise<void> => {
    await database.connection.collection('projects').insertMany(documents.slice(from, to) as never);
  };
  const outcome = await doneByReplicas(input, { service: 'records', subject: 'stechuhr.events.>', ids, leave, warmUp });
  await database.connection.collection('projects').deleteMany({});
  await database.close();
  return outcome;
};
