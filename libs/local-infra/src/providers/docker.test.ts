import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { choose } from './choose.js';
import { fromDocker } from './docker.js';
import { connectEngine } from './engine.js';
import type { Part, Provider, Surroundings } from './provider.js';

const IMAGE = 'example.com/team/redis:1';
const NO_HOST = 'Get "https://example.com/v2/": dial tcp: lookup example.com: no such host';
const container = fromDocker({
  image: IMAGE,
  port: 6379,
  command: [],
  probe: async () => {},
  settings: async () => ({ environment: {}, address: '' }),
});

/** Responses of a fake Docker engine by path; other paths do not exist. */
type Answers = Record<string, (response: ServerResponse) => void>;
const PING = 'GET /_ping';
const LOOK = `GET /images/${IMAGE}/json`;
const PULL = `POST /images/create?fromImage=${encodeURIComponent(IMAGE)}`;
const ok: Answers = { [PING]: (response) => response.end('OK') };

let engine: Server | undefined;
afterEach(() => {
  engine?.close();
  engine?.closeAllConnections();
});

async function engineWith(answers: Answers): Promise<{ host: string; asked: string[] }> {
  const asked: string[] = [];
  engine = createServer(({ method, url }, response) => {
    const question = `${method} ${url}`;
    asked.push(question);
    const answer = answers[question];
    if (answer) answer(response);
    else response.writeHead(404).end(JSON.stringify({ message: `No such image: ${IMAGE}` }));
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  return { host: `tcp://127.0.0.1:${(engine.address() as AddressInfo).port}`, asked };
}

const around = (host: string): Surroundings => ({ env: { DOCKER_HOST: host }, cache: { folder: '', log: () => {} } });

async function prepareWith(answers: Answers): Promise<string> {
  return (await container.prepare(around((await engineWith(answers)).host))).description;
}

describe('the Docker provider', () => {
  it('works where an engine answers and has the image', async () => {
    const description = prepareWith({ ...ok, [LOOK]: (response) => response.end('{"Id":"sha256:1"}') });
    await expect(description).resolves.toBe(`${IMAGE} in Docker`);
  });

  it('works where an engine gets the image', async () => {
    let pulled = false;
    const description = prepareWith({
      ...ok,
      [LOOK]: (response) => (pulled ? response.end('{"Id":"sha256:1"}') : response.writeHead(404).end('{"message":"No such image"}')),
      [PULL]: (response) => {
        pulled = true;
        response.end('{"status":"Pulling from team/redis"}\r\n{"status":"Downloaded newer image"}\r\n');
      },
    });
    await expect(description).resolves.toBe(`${IMAGE} in Docker`);
  });

  it('asks for what has the digest, whatever its tag is by now', async () => {
    const [digest, other] = ['a', 'b'].map((digit) => `sha256:${digit.repeat(64)}`);
    const { host, asked } = await engineWith({
      ...ok,
      [`GET /images/example.com/team/redis@${digest}/json`]: (response) => response.end('{}'),
    });
    await (await connectEngine(host)).provide(`${IMAGE}@${digest}`);
    await expect((await connectEngine(host)).provide(`${IMAGE}@${other}`)).rejects.toThrow('No such image');
    expect(asked.at(-1)).toBe(`POST /images/create?fromImage=${encodeURIComponent(`example.com/team/redis@${other}`)}`);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['refuses', (response) => response.writeHead(500).end(JSON.stringify({ message: `${NO_HOST}\nmore` })), NO_HOST],
    ['begins and fails', (response) => response.end(`{"status":"Pulling"}\r\n{"error":${JSON.stringify(NO_HOST)}}\r\n`), NO_HOST],
    ['fails without a word', (response) => response.writeHead(502).end(), 'status 502'],
    ['brings nothing', (response) => response.end('{"status":"Pulling"}\r\n'), 'the registry has no image for this platform'],
    ['hangs up', (response) => response.destroy(), 'socket hang up'],
  ])('gives way to the next provider where the engine %s', async (_what, pull, reason) => {
    const local: Provider<string> = {
      id: 'local',
      prepare: () => Promise.resolve({ description: 'local', start: () => Promise.reject() }),
    };
    const part: Part<string> = { name: 'redis', label: 'Redis', providers: [container, local], advice: '' };
    const { provider, passedOver } = await choose(part, around((await engineWith({ ...ok, [PULL]: pull })).host));
    expect(provider.id).toBe('local');
    expect(passedOver).toEqual([expect.stringMatching(`^Docker cannot get ${IMAGE}: .*`)]);
    expect(passedOver[0]?.endsWith(reason)).toBe(true);
  });

  it('asks a slow engine once, for all servers', async () => {
    const { host, asked } = await engineWith({
      [PING]: (response) => setTimeout(() => response.end('OK'), 1_500),
      [LOOK]: (response) => response.end('{}'),
    });
    const prepared = await Promise.all(['mongodb', 'nats', 'redis', 's3'].map(() => container.prepare(around(host))));
    expect(prepared.map(({ description }) => description)).toEqual(Array(4).fill(`${IMAGE} in Docker`));
    expect(asked.filter((question) => question === PING)).toHaveLength(1);
  });

  it('does not where something else answers', async () => {
    await expect(prepareWith({})).rejects.toThrow('no Docker engine answers');
  });

  it('does not where nothing is said for long', async () => {
    const { host } = await engineWith({ [PING]: () => {} });
    await expect(connectEngine(host, 100)).rejects.toThrow('no Docker engine answers');
  });

  it('does not work if nothing listens', async () => {
    await expect(container.prepare(around('unix:///nowhere/docker.sock'))).rejects.toThrow('no Docker engine answers');
  });
});
