import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a server that a test can interrupt. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  readonly connections: Set<Socket>;
}

/** Opens a port that forwards to another port of this machine. */
export async function openProxy(target: number): Promise<TcpProxy> {
  const connections = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      connections.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        connections.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    connections,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of connections) socket.destroy();
      await once(server, 'close');
    },
  };
}
