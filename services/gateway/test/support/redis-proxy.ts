import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy to Redis that a test can cut or block. */
export interface RedisProxy {
  readonly url: string;
  /** Ends connections and refuses new ones, as if the server was killed. */
  cut(): Promise<void>;
  /** Keeps connections but passes no data, as if the server hangs. */
  hang(): void;
  /** Passes all data again. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy listens on no port.');
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `redis://127.0.0.1:${address.port}${target.pathname}`,
    cut,
    hang: () => sockets.forEach((socket) => socket.unpipe().pause()),
    async restore() {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen(address.port);
    },
    async stop() {
      if (server.listening) await cut();
    },
  };
}
