import { connect } from 'node:net';

/** How long a server may take to answer once it has accepted a connection. */
const ANSWER_MS = 2_000;

/**
 * Connects, sends a request, and returns the answer as soon as `enough` accepts it. Rejects if nothing listens, the server closes the connection, or
 * it takes longer than two seconds.
 */
export async function exchange(address: string, question: Uint8Array, enough: (answer: Buffer) => boolean): Promise<Buffer> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      let answer = Buffer.alloc(0);
      socket.setTimeout(ANSWER_MS, () => reject(new Error(`${hostname}:${port} does not answer`)));
      socket.once('error', reject);
      socket.once('close', () => reject(new Error(`${hostname}:${port} hung up`)));
      socket.once('connect', () => socket.write(question));
      socket.on('data', (chunk) => {
        answer = Buffer.concat([answer, chunk]);
        if (enough(answer)) resolve(answer);
      });
    });
  } finally {
    socket.destroy();
  }
}
