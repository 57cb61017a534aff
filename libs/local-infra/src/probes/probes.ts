import { exchange } from './exchange.js';

/** Resolves when a MongoDB server answers a ping; `mongodb://host:port`. */
export async function pingMongodb(url: string): Promise<void> {
  await exchange(url, pingMessage(), (answer) => answer.length >= 16 && answer.length >= answer.readInt32LE(0));
}

/** OP_MSG with the body {ping: 1, $db: "admin"}. */
function pingMessage(): Buffer {
  const body = Buffer.from('\x10ping\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0', 'latin1');
  const head = Buffer.alloc(25);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(1, 4);
  head.writeInt32LE(2013, 12);
  head.writeInt32LE(body.length + 4, 21);
  return Buffer.concat([head, body]);
}

/** Resolves when a NATS server with JetStream answers a ping; `nats://host:port`. */
export async function pingNats(url: string): Promise<void> {
  const answer = await exchange(url, Buffer.from('CONNECT {"verbose":false}\r\nPING\r\n'), (received) =>
    /PONG|-ERR/.test(received.toString()),
  );
  if (!answer.includes('"jetstream":true')) throw new Error('the server has no JetStream');
}

/** Resolves when a Redis server answers with anything but "loading"; `redis://host:port`. */
export async function pingRedis(url: string): Promise<void> {
  const answer = await exchange(url, Buffer.from('PING\r\n'), (received) => received.includes('\r\n'));
  if (answer.toString().startsWith('-LOADING')) throw new Error('the server is still loading');
}

/** Resolves when an S3 store answers at all; `http://host:port`. */
export async function pingS3(endpoint: string, path: string): Promise<void> {
  const response = await fetch(new URL(path, endpoint), { signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${endpoint} answers ${response.status}`);
}
