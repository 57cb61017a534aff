import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { exportJobSubject, streams } from '@stechuhr/contracts';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { createdTask } from '../created-task.js';
import { environmentOf } from '../replica.js';
import { doneByReplicas, smallPieces } from '../shared-work.js';

const AGE_MS = 600_000;

/** Creates tasks of different institutions whose jobs have not been published yet. */
export const run: Run = async (input) => {
  const { MONGODB_URL: url = '', NATS_URL: servers = '' } = environmentOf(input);
  const database = await connectMongo({ url, database: 'stechuhr_tasks', logger: createLogger('bench', 'warn') });
  const tasks = database.connection.collection('tasks');
  const since = Date.now() - AGE_MS;
  const { warmUp, count } = smallPieces(input, input.size);
  const documents = Array.from({ length: count }, (_, number) => createdTask(new Date(since + number)));
  const createPieces = async (from: number, to: number): Promise<void> => {
    await tasks.insertMany(documents.slice(from, to) as never);
  };
  const ids = documents.map(({ _id }) => `job:${_id}:0:0`);
  const outcome = await doneByReplicas(input, { service: 'tasks', subject: exportJobSubject, ids, createPieces, warmUp });
  await tasks.deleteMany({});
  await database.close();
  const connection = await connect({ servers });
  await (await jetstreamManager(connection)).streams.purge(streams.jobs.name);
  await connection.close();
  return outcome;
};
