import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tasksV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { waitFor } from '@stechuhr/testing';
import { call, open } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';

const RULES = '/api/v2/timestamps/absence-rules/';
const TOO_MANY = { detail: 'Too many bodies and responses of your institution are on their way. Try again when some have arrived.' };
const MIB = 1024 * 1024;

let gateway: TestGateway;
let token: string;
let neighbour: string;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0' });
  token = (await gateway.issue()).token;
  neighbour = (await gateway.issue()).token;
});
afterAll(() => gateway.stop());

/** A task whose JSON has seven and a half MiB, more than a connection buffers for a client that does not read. */
const large: tasksV1.Task = {
  id: newId(),
  status: tasksV1.TaskStatus.TASK_STATUS_FINISHED,
  label: undefined,
  description: undefined,
  action: 'generic_export',
  createdAt: 1_772_434_800,
  startedAt: undefined,
  finishedAt: 1_782_434_861,
  result: {
    file: 'exports/x/1.csv',
    skipped: Array.from({ length: 7_500 }, () => ({ id: newId(), name: 'A'.repeat(950), reason: 'archived' })),
  },
};
const detail = `/api/v2/asynchronous-tasks/tasks/${large.id}/`;

describe('large answers that their clients do not read', () => {
  // Half of 64 MiB, and the one with which the institution exceeds it: 37.5 MiB are held, and 26.5 are free.
  const HELD = 5;

  it('are as many as fit into half of the memory for them, so that other institutions find room', async () => {
    gateway.backends.tasks.tasks.set(large.id, large);
    const unread: IncomingMessage[] = [];
    for (let n = 0; n < HELD; n += 1) unread.push(await open(gateway.port, detail, { token }));
    expect(unread.map(({ statusCode }) => statusCode)).toEqual(Array(HELD).fill(200));
    const refused = await call(gateway.port, detail, { token });
    expect(refused).toMatchObject({ status: 429, json: TOO_MANY, headers: { 'retry-after': '5' } });
    // Small ones take no room.
    expect(await call(gateway.port, '/api/v2/', { token })).toMatchObject({ status: 200 });
    const other = await call(gateway.port, detail, { token: neighbour });
    expect(other).toMatchObject({ status: 200, headers: { 'content-length': String(Buffer.byteLength(other.text)) } });
    const [first, ...others] = unread;
    expect(first && (await text(first))).toBe(other.text);
    for (const response of others) response.destroy();
    await waitFor(async () => (await call(gateway.port, detail, { token })).status === 200);
  });

  it('are described by HEAD without being sent', async () => {
    const { status, headers, text: body } = await call(gateway.port, detail, { token, method: 'HEAD' });
    expect([status, body]).toEqual([200, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(7 * MIB);
  });
});

describe('bodies that their clients do not finish', () => {
  const MAX = 1_048_576;
  const headers = { 'content-type': 'application/json' };
  const post = (asking: string) => call(gateway.port, RULES, { method: 'POST', token: asking, headers, body: `"${'x'.repeat(MAX - 2)}"` });

  /** Sends a request whose body lacks its last byte. */
  async function begin(): Promise<Socket> {
    const socket = connect(gateway.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST ${RULES} HTTP/1.1\r\nHost: gateway\r\nAuthorization: Token ${token}\r\nContent-Type: application/json\r\nContent-Length: ${String(MAX)}\r\n\r\n`,
    );
    socket.write('"'.padEnd(MAX - 1, 'x'));
    return socket;
  }

  it('are as many as fit into half of the memory for them', async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, begin));
    const refused = await waitFor(async () => {
      const answer = await post(token);
      return answer.status === 429 && answer;
    });
    expect(refused).toMatchObject({ json: TOO_MANY, headers: { 'retry-after': '5' } });
    expect(await post(neighbour)).toMatchObject({ status: 201 });
    for (const socket of sockets) socket.destroy();
    await waitFor(async () => (await post(token)).status === 201);
  });
});
