import { connect } from 'node:net';
import { recordsV1 } from '@stechuhr/contracts';
import type { Run } from '../../../harness/types.js';
import { readRows } from '../read-rows.js';

const LENGTH_BYTES = 4;

/** The floor: the same encoded messages over TCP, each preceded by its length. */
export const run: Run = (input) =>
  readRows(input, async ({ tcp }, received) => {
    const socket = connect(tcp, '127.0.0.1');
    const request = Buffer.alloc(LENGTH_BYTES);
    request.writeUInt32LE(input.size);
    socket.write(request);
    for await (const bytes of framesOf(socket)) received.add(recordsV1.ReadTimeRecordsResponse.decode(bytes));
  });

async function* framesOf(socket: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = [];
  let available = 0;
  let wanted = LENGTH_BYTES;
  for await (const chunk of socket) {
    parts.push(chunk);
    available += chunk.length;
    if (available < wanted) continue;
    let bytes = Buffer.concat(parts, available);
    for (wanted = frameLength(bytes); bytes.length >= wanted; wanted = frameLength(bytes)) {
      yield bytes.subarray(LENGTH_BYTES, wanted);
      bytes = bytes.subarray(wanted);
    }
    parts = [bytes];
    available = bytes.length;
  }
}

/** Returns the length of the frame including the length field; only the size of the length field if that is still incomplete. */
function frameLength(bytes: Buffer): number {
  return LENGTH_BYTES + (bytes.length < LENGTH_BYTES ? 0 : bytes.readUInt32LE(0));
}
