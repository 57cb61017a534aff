// The sending process. It answers over gRPC like the services, and over plain TCP with the length before each message.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { recordsV1 } from '@stechuhr/contracts';
import { createLogger, serverStream, startGrpcServer } from '@stechuhr/service';
import { batches, employeeMessages } from './rows.js';

const LENGTH_BYTES = 4;

/**
 * Returns the requested messages. The request has the number of rows in `from_day`, and the rows per message in `to_day`; 0 means whole
 * employees.
 */
function messagesOf(rows: number, batch: number): Iterable<recordsV1.ReadTimeRecordsResponse> {
  return batch === 0 ? employeeMessages(rows) : batches(rows, batch);
}

async function* answer({ fromDay, toDay }: recordsV1.ReadTimeRecordsRequest): AsyncGenerator<recordsV1.ReadTimeRecordsResponse> {
  yield* messagesOf(fromDay, toDay);
}

async function answerBare(socket: Socket): Promise<void> {
  const [request] = (await once(socket, 'data')) as [Buffer];
  for (const message of messagesOf(request.readUInt32LE(0), 0)) {
    const bytes = recordsV1.ReadTimeRecordsResponse.encode(message).finish();
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(bytes.length);
    socket.write(length);
    if (!socket.write(bytes)) await once(socket, 'drain');
  }
  socket.end();
}

const { readTimeRecords } = recordsV1.RecordsServiceService;
const grpc = await startGrpcServer({
  bind: '127.0.0.1:0',
  services: [{ definition: { readTimeRecords }, implementation: { readTimeRecords: serverStream(answer) } }],
  logger: createLogger('bench', 'warn'),
});
grpc.setServing(true);
const tcp = createServer((socket) => void answerBare(socket)).listen(0, '127.0.0.1');
await once(tcp, 'listening');
process.send?.({ grpc: `127.0.0.1:${grpc.port}`, tcp: (tcp.address() as AddressInfo).port });
process.once('disconnect', () => process.exit());
