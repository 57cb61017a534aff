import { exportsV1, type commonV1 } from '@stechuhr/contracts';
import { createGrpcClient, readStream } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { dailyExport } from '../../../platform/year-export.js';
import { startReplicas } from '../replica.js';
import { figuresOf } from '../shared-work.js';
import { startUsage } from '../usage.js';

/** Workbooks per replica: those written concurrently, during warm-up, and during the measurement. */
const CONCURRENT = 2;
const WARM_UP = { quick: 1, full: 12 };
const MEASURED = { quick: 2, full: 30 };

/** Exports workbooks with a year of a few employees: the service reads little and computes much. */
export const run: Run = async (input) => {
  const { quick, values } = input;
  const caller = values['caller'] as unknown as commonV1.Caller;
  const replicas = await startReplicas('exports', input);
  const clients = replicas.addresses.map((address) => createGrpcClient(exportsV1.ExportsServiceClient, address));
  const request = {
    caller,
    exporter: 'generic',
    parameters: dailyExport('xlsx'),
    headerOnly: false,
    existingOnly: false,
    withoutReview: true,
  };
  const download = async (client: exportsV1.ExportsServiceClient): Promise<void> => {
    for await (const _ of readStream(client, client.runExport, request));
  };
  /** Downloads workbooks from all replicas; each client requests the next one until all are done. */
  const downloadAll = async (count: number): Promise<void> => {
    let left = count * clients.length;
    const downloadUntilDone = async (client: exportsV1.ExportsServiceClient): Promise<void> => {
      while (left-- > 0) await download(client);
    };
    await Promise.all(clients.flatMap((client) => Array.from({ length: CONCURRENT }, () => downloadUntilDone(client))));
  };
  await downloadAll(quick ? WARM_UP.quick : WARM_UP.full);
  const measured = quick ? MEASURED.quick : MEASURED.full;
  const usage = await startUsage(input, replicas.pids);
  await downloadAll(measured);
  const figures = figuresOf(measured * clients.length, await usage.end());
  for (const client of clients) client.close();
  await replicas.stop();
  return { values: figures };
};
