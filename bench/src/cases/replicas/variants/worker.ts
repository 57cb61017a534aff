import type { CloudEvent, commonV1 } from '@stechuhr/contracts';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { dailyExport } from '../../../platform/year-export.js';
import { createdTask } from '../created-task.js';
import { environmentOf, startService } from '../replica.js';
import { doneByReplicas } from '../shared-work.js';

const AGE_MS = 600_000;
/** Workbooks per replica during warm-up and during the measurement. */
const WARM_UP = { quick: 1, full: 12 };
const MEASURED = { quick: 6, full: 40 };
/** Jobs of the institution wait only for a worker, not for a limit. */
const NO_LIMIT = { JOBS_PER_INSTITUTION: '1000' };

/**
 * Exports the workbooks of the variant `exports` in the background: each also needs a claim, an upload to the object store, and updates of
 * its task.
 */
export const run: Run = async (input) => {
  const { quick, values } = input;
  const caller = values['caller'] as unknown as commonV1.Caller;
  const replicas = Number(values['replicas']);
  const env = environmentOf(input);
  const tasks = await startService('tasks', { ...env, ...NO_LIMIT });
  const database = await connectMongo({ url: env['MONGODB_URL'] ?? '', database: 'stechuhr_tasks', logger: createLogger('bench', 'warn') });
  const stored = database.connection.collection('tasks');
  const of = { institutionId: caller.institutionId, accountId: caller.accountId, parameters: dailyExport('xlsx') };
  const since = Date.now() - AGE_MS;
  const warmUp = (quick ? WARM_UP.quick : WARM_UP.full) * replicas;
  const count = warmUp + (quick ? MEASURED.quick : MEASURED.full) * replicas;
  const documents = Array.from({ length: count }, (_, number) => createdTask(new Date(since + number), of));
  const own = { env: { ...env, TASKS_ADDRESS: tasks.address }, serverPids: { ...(values['serverPids'] as object), tasks: tasks.pid } };
  const outcome = await doneByReplicas(
    { ...input, values: { ...values, ...own } },
    {
      service: 'worker',
      subject: 'stechuhr.events.*.tasks.task.finished',
      ids: documents.map(({ _id }) => _id),
      pieceOf: (message) => (JSON.parse(message.string()) as CloudEvent).data.id,
      warmUp,
      async createPieces(from, to) {
        await stored.insertMany(documents.slice(from, to) as never);
      },
    },
  );
  await tasks.stop();
  await stored.deleteMany({});
  await database.close();
  return outcome;
};
