import { createEvent } from '@stechuhr/bus';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { doneByReplicas, environmentOf } from '../shared-work.js';

/** Events of documents whose writer was killed before it published them. */
export const run: Run = async (input) => {
  const url = environmentOf(input)['MONGODB_URL'] ?? '';
  const database = await connectMongo({ url, database: 'stechuhr_records', logger: createLogger('bench', 'warn') });
  const documents = Array.from({ length: input.size }, () => {
    const [_id, institution_id] = [newId(), newId()];
    const data = { id: _id };
    return {
      _id,
      institution_id,
      outbox: [createEvent({ type: 'records.workday.changed', institutionId: institution_id, data, clock: systemClock })],
    };
  });
  const own = new Set(documents.flatMap(({ outbox }) => outbox.map(({ id }) => id)));
  const leave = async (): Promise<void> => {
    await database.connection.collection('projects').insertMany(documents as never);
  };
  const work = { service: 'records', subject: 'stechuhr.events.>', count: own.size, leave };
  const outcome = await doneByReplicas(input, work, (id) => own.has(id));
  await database.connection.collection('projects').deleteMany({});
  await database.close();
  return outcome;
};
