import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startRedis, type LoneServer } from '@stechuhr/local-infra';
import { connectRedis, type RedisClient } from '@stechuhr/redis';
import { waitFor } from '@stechuhr/testing';
import { Redis } from 'ioredis';

/** A sentinel that decides when its messages arrive, which a real one does not. */
interface ScriptedSentinel {
  readonly url: string;
  /** The clients that listen for failovers. */
  readonly subscribers: ReadonlySet<Socket>;
  /** Announces a failover before it answers the next question for the master. */
  announceBeforeAnswer(): void;
  stop(): void;
}

async function startSentinel(masterPort: string): Promise<ScriptedSentinel> {
  const subscribers = new Set<Socket>();
  let announces = false;
  const answerTo = async (socket: Socket, command: readonly string[]): Promise<void> => {
    if (command.includes('get-master-addr-by-name')) {
      const notified = [...subscribers].map((one) => once(one, 'close'));
      if (announces) for (const one of subscribers) one.write(push('message', '+switch-master', 'main 127.0.0.1 1 127.0.0.1 2'));
      // Closing the subscription is how the client reacts to the announcement.
      if (announces) await Promise.all(notified);
      announces = false;
      socket.write(array('127.0.0.1', masterPort));
    } else if (command.includes('subscribe')) {
      socket.write(push('subscribe', '+switch-master', 1));
      subscribers.add(socket);
      socket.once('close', () => subscribers.delete(socket));
    } else socket.write('+OK\r\n');
  };
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    // Each command of a client is an array, which begins with `*`.
    socket.on('data', (chunk) => {
      for (const command of chunk.toString().split('*').slice(1)) void answerTo(socket, command.toLowerCase().split('\r\n'));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `redis+sentinel://127.0.0.1:${String((server.address() as AddressInfo).port)}/main`,
    subscribers,
    announceBeforeAnswer: () => void (announces = true),
    stop: () => void server.close(),
  };
}

/** Encodes an array of RESP3. */
function array(...values: readonly (string | number)[]): string {
  const encoded = values.flatMap((value) => (typeof value === 'string' ? [`$${String(value.length)}`, value] : [`:${String(value)}`]));
  return [`*${String(values.length)}`, ...encoded, ''].join('\r\n');
}

/** Encodes a message that is not an answer. */
function push(...values: readonly (string | number)[]): string {
  return array(...values).replace('*', '>');
}

let server: LoneServer<string>;
let sentinel: ScriptedSentinel;
let redis: RedisClient;

beforeAll(async () => {
  server = await startRedis({ own: true });
  sentinel = await startSentinel(new URL(server.address).port);
  const log = () => undefined;
  redis = connectRedis({ url: sentinel.url, logger: { debug: log, info: log, warn: log, error: log } });
  await waitFor(() => redis.status === 'ready' && sentinel.subscribers.size === 1);
});
afterAll(async () => {
  redis.disconnect();
  sentinel.stop();
  await server.stop();
});

const loseConnection = async (): Promise<void> => {
  const admin = new Redis(server.address);
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal');
  admin.disconnect();
};

it('connects again if a failover is announced while it asks for the master', async () => {
  sentinel.announceBeforeAnswer();
  await loseConnection();
  await waitFor(async () => (await redis.ping().catch(() => undefined)) === 'PONG', { timeoutMs: 10_000 });
});

it('stays closed once it is closed', async () => {
  sentinel.announceBeforeAnswer();
  await loseConnection();
  await waitFor(() => redis.status === 'end');
  redis.disconnect();
  const ended = once(redis, 'connecting', { signal: AbortSignal.timeout(500) });
  await expect(ended).rejects.toThrow('aborted');
});
