import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tasksV1 } from '@stechuhr/contracts';
import { AppError, newId } from '@stechuhr/kernel';
import { startRedisCluster, waitFor } from '@stechuhr/testing';
import { exportOf, taskAnswer } from './support/backends.js';
import { call, open, type Answer } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { startRedisProxy } from './support/redis-proxy.js';

const EXPORT = '/api/v2/exports/generic/';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '10', RATE_LIMIT_BURST: '5', EXPORT_RATE_LIMIT_PER_MINUTE: '2' });
});
afterAll(() => gateway.stop());

function expectThrottled(answer: Answer, limit: string): void {
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(answer).toMatchObject({ status: 429, json: { detail: `Request was throttled. Expected available in ${seconds} seconds.` } });
  expect(answer.headers).toMatchObject({ 'ratelimit-limit': limit, 'ratelimit-remaining': '0', 'ratelimit-reset': String(seconds) });
}

describe('the request limit', () => {
  it('counts down, allows a burst and then throttles only this token', async () => {
    const { token } = await gateway.issue();
    const remaining: unknown[] = [];
    for (let n = 0; n < 15; n += 1) {
      const { status, headers } = await call(gateway.port, '/api/v2/', { token });
      expect(status).toBe(200);
      expect(headers['ratelimit-limit']).toBe('10');
      expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
      remaining.push(Number(headers['ratelimit-remaining']));
    }
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0]);
    expectThrottled(await call(gateway.port, '/api/v2/', { token }), '10');
    expect(await call(gateway.port, '/api/v2/', { token: (await gateway.issue()).token })).toMatchObject({ status: 200 });
  });

  it('is shared by all gateways', async () => {
    const other = await gateway.another();
    const { token } = await gateway.issue();
    for (let n = 0; n < 8; n += 1) await call(gateway.port, '/api/v2/', { token });
    expect((await call(other.httpPort, '/api/v2/', { token })).headers['ratelimit-remaining']).toBe('1');
    await other.stop();
  });

  it('is shared in a Redis Cluster, too', async () => {
    const cluster = await startRedisCluster();
    const [one, two] = [await gateway.another({ REDIS_URL: cluster.url }), await gateway.another({ REDIS_URL: cluster.url })];
    const remaining = async ({ httpPort }: { readonly httpPort: number }, token: string) =>
      (await call(httpPort, '/api/v2/', { token })).headers['ratelimit-remaining'];
    // Until both have connected to the cluster, each one counts for itself.
    await waitFor(async () => {
      const { token } = await gateway.issue();
      return [await remaining(one, token), await remaining(two, token)].join() === '9,8';
    });
    await Promise.all([one.stop(), two.stop()]);
    await cluster.stop();
  });

  it.each([
    ['405', { method: 'PUT' }],
    ['OPTIONS', { method: 'OPTIONS' }],
    ['406', { headers: { accept: 'text/html' } }],
  ])('is part of every authenticated response: %s', async (_, options) => {
    const { token } = await gateway.issue();
    const { headers } = await call(gateway.port, '/api/v2/', { token, ...options });
    expect(headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': '9' });
  });

  it('sends no headers without a valid token', async () => {
    expect((await call(gateway.port, '/api/v2/')).headers).not.toHaveProperty('ratelimit-limit');
  });

  it('can be switched off', async () => {
    const other = await gateway.another({ RATE_LIMIT_PER_MINUTE: '0' });
    const { token } = await gateway.issue();
    for (let n = 0; n < 20; n += 1) expect(await call(other.httpPort, '/api/v2/', { token })).toMatchObject({ status: 200 });
    await other.stop();
  });
});

describe('the limit of an institution', () => {
  it('is that of ten tokens, for all its accounts together, and does not affect other institutions', async () => {
    const limit = 10 * (10 + 5);
    const ours = gateway.backends.addAccount();
    const theirs = await gateway.issue();
    const issue = async () => (await gateway.issue({ accountId: gateway.backends.addAccount(undefined, ours.institutionId).id })).token;
    const tokens = await Promise.all(Array.from({ length: 12 }, issue));
    const ask = async (token: string) => (await call(gateway.port, '/api/v2/', { token })).status;
    const counts = { 200: 0, 429: 0 };
    for (const token of tokens) for (let n = 0; n < 14; n += 1) counts[(await ask(token)) as 200 | 429] += 1;
    expect(counts).toEqual({ 200: limit, 429: 12 * 14 - limit });
    expectThrottled(await call(gateway.port, '/api/v2/', { token: await issue() }), String(limit));
    expect(await ask(theirs.token)).toBe(200);
  });

  it('does not count requests that the limit of a token refused', async () => {
    const other = await gateway.another({ RATE_LIMIT_PER_INSTITUTION: '20' });
    const account = gateway.backends.addAccount();
    const [loud, calm] = [await gateway.issue({ accountId: account.id }), await gateway.issue({ accountId: account.id })];
    for (let n = 0; n < 30; n += 1) await call(other.httpPort, '/api/v2/', { token: loud.token });
    expect(await call(other.httpPort, '/api/v2/', { token: calm.token })).toMatchObject({ status: 200 });
    await other.stop();
  });

  it.each([
    { RATE_LIMIT_PER_MINUTE: '0' },
    { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_BURST: '1' },
    { RATE_LIMIT_PER_INSTITUTION: '0', RATE_LIMIT_PER_MINUTE: '1000' },
  ])('can be switched off: %j', async (environment) => {
    const other = await gateway.another(environment);
    const { token } = await gateway.issue();
    for (let n = 0; n < 160; n += 1) expect(await call(other.httpPort, '/api/v2/', { token })).toMatchObject({ status: 200 });
    await other.stop();
  });
});

const createdTask = (): tasksV1.ExportTask => ({
  id: newId(),
  createdAt: 0,
  finishedAt: undefined,
  status: tasksV1.TaskStatus.TASK_STATUS_CREATED,
  target: undefined,
  skipped: 0,
});

describe('the export limit', () => {
  it('is charged for runs that start and for bad requests, but not for server failures or HEAD', async () => {
    const { token } = await gateway.issue();
    const refuse = () => {
      throw AppError.invalid({ daterange: ['This field is required.'] });
    };
    const fail = () => {
      throw new AppError('unavailable', 'records is unavailable.');
    };
    const answers = new Map([
      [fail, 503],
      [refuse, 400],
      [() => exportOf(['a']), 200],
    ]);
    for (const [run, status] of answers) {
      gateway.backends.runExport = run;
      expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status });
      expect(await call(gateway.port, EXPORT, { token, method: 'HEAD' })).toMatchObject({ status });
    }
    gateway.backends.runExport = refuse;
    expectThrottled(await call(gateway.port, EXPORT, { token }), '2');
    expect(await call(gateway.port, '/api/v2/exports/', { token })).toMatchObject({ status: 200 });
    gateway.backends.runExport = () => exportOf(['a']);
    expect(await call(gateway.port, EXPORT, { token, method: 'HEAD' })).toMatchObject({ status: 200 });
  });

  it('is not given back for a run that fails after its minute, because the next minute would allow one more', async () => {
    const { token } = await gateway.issue();
    gateway.backends.runExport = () => {
      gateway.advance(60_000);
      throw new AppError('unavailable', 'records is unavailable.');
    };
    expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status: 503 });
    gateway.advance(-60_000);
    gateway.backends.runExport = () => exportOf(['a']);
    // Only the clock of the gateway has moved: in Redis, it is still the same minute.
    expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status: 200 });
    expectThrottled(await call(gateway.port, EXPORT, { token }), '2');
  });

  it('is not given back where it was not charged: a run is counted in memory and fails when Redis is available again', async () => {
    const proxy = await startRedisProxy(gateway.servers.redisUrl);
    const other = await gateway.another({ REDIS_URL: proxy.url });
    const { token } = await gateway.issue();
    const isShared = async () => {
      const fresh = await gateway.issue();
      await call(other.httpPort, '/api/v2/', { token: fresh.token });
      return (await call(gateway.port, '/api/v2/', { token: fresh.token })).headers['ratelimit-remaining'] === '8';
    };
    await proxy.cut();
    const begun = Promise.withResolvers<void>();
    const failing = Promise.withResolvers<never>();
    gateway.backends.runExport = async function* () {
      begun.resolve();
      yield await failing.promise;
    };
    const failed = call(other.httpPort, EXPORT, { token });
    await begun.promise;
    await proxy.restore();
    await waitFor(isShared);
    failing.reject(new AppError('unavailable', 'records is unavailable.'));
    expect(await failed).toMatchObject({ status: 503 });
    gateway.backends.runExport = () => exportOf(['a']);
    for (let n = 0; n < 2; n += 1) expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status: 200 });
    expectThrottled(await call(gateway.port, EXPORT, { token }), '2');
    await other.stop();
    await proxy.stop();
  });

  it('is charged for tasks that start, but not for polling, which works even if the limit is used up', async () => {
    const { token } = await gateway.issue();
    const task = createdTask();
    for (const started of [true, false, false, true]) {
      gateway.backends.runExport = () => taskAnswer(task, started);
      expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status: 200, json: { id: task.id } });
    }
    expectThrottled(await call(gateway.port, EXPORT, { token }), '2');
    gateway.backends.existingTask = task;
    expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status: 200, json: { id: task.id } });
    gateway.backends.existingTask = undefined;
    expectThrottled(await call(gateway.port, EXPORT, { token }), '2');
    gateway.backends.runExport = () => exportOf(['a']);
  });

  it('is not charged for concurrent polling, even more often than the limit allows', async () => {
    const { token } = await gateway.issue();
    const task = createdTask();
    const othersAnswered = Promise.withResolvers<void>();
    gateway.backends.existingTask = task;
    gateway.backends.runExport = async function* () {
      await othersAnswered.promise;
      yield* taskAnswer(task, false);
    };
    let answered = 0;
    const polls = Array.from({ length: 6 }, async () => {
      const answer = await call(gateway.port, EXPORT, { token });
      answered += 1;
      if (answered === 4) othersAnswered.resolve();
      return answer;
    });
    for (const answer of await Promise.all(polls)) expect(answer).toMatchObject({ status: 200, json: { id: task.id } });
    gateway.backends.existingTask = undefined;
    gateway.backends.runExport = () => exportOf(['a']);
    for (let n = 0; n < 2; n += 1) expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status: 200 });
    expectThrottled(await call(gateway.port, EXPORT, { token }), '2');
  });

  it('applies to concurrent requests', async () => {
    const { token } = await gateway.issue();
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(gateway.port, EXPORT, { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
  });

  it('can be switched off', async () => {
    const other = await gateway.another({ EXPORT_RATE_LIMIT_PER_MINUTE: '0' });
    const { token } = await gateway.issue();
    for (let n = 0; n < 6; n += 1) expect(await call(other.httpPort, EXPORT, { token })).toMatchObject({ status: 200 });
    await other.stop();
  });
});

function* endless(): Generator<string, void, undefined> {
  for (;;) yield 'x'.repeat(64 * 1024);
}

describe('concurrent exports', () => {
  it('are limited for each token and replica, and end when their client disconnects', async () => {
    const limits = {
      CONCURRENT_EXPORTS_PER_TOKEN: '2',
      CONCURRENT_EXPORTS: '3',
      EXPORT_RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_PER_MINUTE: '0',
    };
    const other = await gateway.another(limits);
    const [{ token }, { token: second }] = [await gateway.issue(), await gateway.issue()];
    gateway.backends.runExport = () => exportOf(endless());
    const start = (of: string) => open(other.httpPort, EXPORT, { token: of });
    const running = [await start(token), await start(token)];
    const refused = (detail: string) => ({ status: 429, headers: { 'retry-after': '5' }, json: { detail } });
    expect(await call(other.httpPort, EXPORT, { token })).toMatchObject(refused('A token may run 2 exports at a time.'));
    running.push(await start(second));
    expect(await call(other.httpPort, EXPORT, { token: second })).toMatchObject(
      refused('The server runs 3 exports at a time, and all of these are taken.'),
    );
    gateway.backends.runExport = () => exportOf(['a']);
    const background = `${EXPORT}?is_async=true`;
    expect(await call(other.httpPort, background, { token })).toMatchObject({ status: 200 });
    expect(await call(other.httpPort, background, { token, method: 'HEAD' })).toMatchObject({ status: 429 });
    for (const answer of running) answer.destroy();
    await waitFor(async () => (await call(other.httpPort, EXPORT, { token })).status === 200);
    await other.stop();
  });

  it('of an institution never exceed the slots that are free for others, however many tokens it has', async () => {
    const limits = { CONCURRENT_EXPORTS: '8', EXPORT_RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_MINUTE: '0' };
    const other = await gateway.another(limits);
    const { id: accountId } = gateway.backends.addAccount();
    const [greedy, another, late] = [await gateway.issue({ accountId }), await gateway.issue({ accountId }), await gateway.issue()];
    gateway.backends.runExport = () => exportOf(endless());
    const start = (of: string) => open(other.httpPort, EXPORT, { token: of });
    const running: IncomingMessage[] = [];
    for (const { token } of [greedy, greedy, greedy, another, another]) running.push(await start(token));
    const detail = 'An institution may run 5 exports at a time while 3 places are free for others.';
    const refused = await start(another.token);
    expect(refused.statusCode).toBe(429);
    expect(JSON.parse(await text(refused))).toEqual({ detail });
    const answer = await start(late.token);
    expect(answer.statusCode).toBe(200);
    for (const each of [...running, answer]) each.destroy();
    await other.stop();
  });
});

describe('concurrent requests', () => {
  const unlimited = {
    CONCURRENT_EXPORTS: '0',
    CONCURRENT_EXPORTS_PER_TOKEN: '0',
    EXPORT_RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_PER_MINUTE: '0',
  };

  it('of an institution leave slots for others, and requests beyond all slots are refused at once', async () => {
    const other = await gateway.another({ ...unlimited, CONCURRENT_API_REQUESTS: '4' });
    const { id: accountId } = gateway.backends.addAccount();
    const [greedy, another] = [await gateway.issue({ accountId }), await gateway.issue({ accountId })];
    const [second, third] = [await gateway.issue(), await gateway.issue()];
    gateway.backends.runExport = () => exportOf(endless());
    const start = ({ token }: { readonly token: string }) => open(other.httpPort, EXPORT, { token });
    const ask = ({ token }: { readonly token: string }) => call(other.httpPort, '/api/v2/', { token });

    const running = [await start(greedy), await start(greedy), await start(another)];
    expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(await ask(another)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
      json: { detail: 'Too many requests of your institution are under way. Try again when some have been answered.' },
    });

    running.push(await start(second));
    expect(running[3]).toMatchObject({ statusCode: 200 });
    const overloaded = {
      status: 503,
      headers: { 'retry-after': '5' },
      json: { detail: 'The server has too many requests at the moment. Try again later.' },
    };
    expect(await ask(third)).toMatchObject(overloaded);
    // Nobody looks at the token any more.
    expect(await ask({ token: 'unknown' })).toMatchObject(overloaded);
    for (const path of ['/healthz', '/readyz', '/api/v2/openapi.json'])
      expect(await call(other.httpPort, path)).toMatchObject({ status: 200 });

    for (const answer of running) answer.destroy();
    await waitFor(async () => (await ask(third)).status === 200);
    expect(await ask(another)).toMatchObject({ status: 200 });
    await other.stop();
  });

  it('can be unlimited', async () => {
    const other = await gateway.another({ ...unlimited, CONCURRENT_API_REQUESTS: '0' });
    const { token } = await gateway.issue();
    gateway.backends.runExport = () => exportOf(endless());
    const running = [await open(other.httpPort, EXPORT, { token }), await open(other.httpPort, EXPORT, { token })];
    expect(await call(other.httpPort, '/api/v2/', { token })).toMatchObject({ status: 200 });
    for (const answer of running) answer.destroy();
    await other.stop();
  });
});
