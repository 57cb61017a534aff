import { recordsV1 } from '@stechuhr/contracts';
import { createGrpcClient, readStream } from '@stechuhr/service';
import type { Run } from '../../../harness/types.js';
import { readRows } from '../read-rows.js';

/** Reads over gRPC. A batch size of 0 requests messages like those of the records service. */
export const run: Run = (input) =>
  readRows(input, async (addresses, received) => {
    const client = createGrpcClient(recordsV1.RecordsServiceClient, addresses.grpc);
    const request = { caller: undefined, employeeIds: [], fromDay: input.size, toDay: Number(input.values['batch']), parts: [] };
    for await (const message of readStream(client, client.readTimeRecords, request)) received.add(message);
    client.close();
  });
