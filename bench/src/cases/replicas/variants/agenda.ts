import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { exportJobSubject, streams } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { environmentOf } from '../replica.js';
import { doneByReplicas, piecesFor } from '../shared-work.js';

const AGE_MS = 600_000;

/** Tasks, each of another institution, whose jobs nobody has published. */
export const run: Run = async (input) => {
  const { MONGODB_URL: url = '', NATS_URL: servers = '' } = environmentOf(input);
  const database = await connectMongo({ url, database: 'stechuhr_tasks', logger: createLogger('bench', 'warn') });
  const tasks = database.connection.collection('tasks');
  const since = Date.now() - AGE_MS;
  const pieces = piecesFor(input, input.size);
  const documents = Array.from({ length: pieces }, (_, number) => createdTask(new Date(since + number)));
  const leave = async (from: number, to: number): Promise<void> => {
    await tasks.insertMany(documents.slice(from, to) as never);
  };
  const ids = documents.map(({ _id }) => `job:${_id}:0`);
  const outcome = await doneByReplicas(input, { service: 'tasks', subject: exportJobSubject, ids, leave });
  await tasks.deleteMany({});
  await database.close();
  const connection = await connect({ servers });
  await (await jetstreamManager(connection)).streams.purge(streams.jobs.name);
  await connection.close();
  return outcome;
};

/** As services/tasks stores one that was created and has not been claimed. */
function createdTask(due_at: Date) {
  return {
    ...{ _id: newId(), institution_id: newId(), account_id: newId(), fingerprint: newId() },
    visibility: { role: 'admin', departmentIds: [], projectIds: null },
    ...{ exporter: 'generic', parameters: '{}', file_name: 'export.csv', label: 'generic', skipped_at_start: 0, created_at: due_at },
    ...{ traceparent: null, status: 'created', started_at: null, ended_at: null, deleted_at: null, attempt: 0 },
    ...{ lease_until: null, lease_lost: false, failures: 0, lost_leases: 0, waits: 0, rows_done: 0, rows_estimated: 0 },
    ...{ skipped: [], failure: null, step: 'publish', due_at, held: false, version: 1, outbox: [] },
  };
}
