import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownTime, testServers, waitFor, type TestServers } from '@stechuhr/testing';
import { call } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { startRedisProxy, type RedisProxy } from './support/redis-proxy.js';

const OK = { status: 200 };
const INVALID = { status: 401, json: { detail: 'Invalid token.' } };

let servers: TestServers;
let proxy: RedisProxy;
let gateway: TestGateway;
let token: string;

/** The gateway connects to Redis through the proxy. Issuing and revoking use a direct connection. */
beforeAll(async () => {
  servers = await testServers();
  proxy = await startRedisProxy(servers.redisUrl);
  gateway = await startTestGateway({ REDIS_URL: proxy.url, RATE_LIMIT_PER_MINUTE: '100', RATE_LIMIT_BURST: '0' });
  token = (await gateway.issue()).token;
});
afterAll(async () => {
  await gateway.stop();
  await proxy.stop();
  await servers.stop();
});

const ask = (secret: string) => call(gateway.port, '/api/v2/', { token: secret });

/** Waits until requests take less time than a Redis command that runs into its timeout. */
const isQuick = async () => {
  const ms = await ownTime(async () => expect(await ask(token)).toMatchObject(OK));
  return ms < 150;
};

describe.each(['cut', 'hang'] as const)('Redis that is %s', (kind) => {
  it('causes neither errors nor, after a moment, delays, and revoked tokens stay invalid', async () => {
    const revoked = await gateway.issue();
    expect(await ask(token)).toMatchObject(OK);
    expect(await ask(revoked.token)).toMatchObject(OK);
    await proxy[kind]();
    await waitFor(isQuick);
    await gateway.admin.revoke(revoked.id);
    expect(await ask(revoked.token)).toMatchObject(INVALID);
    expect(await ask((await gateway.issue()).token)).toMatchObject(OK);
    expect(await call(gateway.port, '/readyz')).toMatchObject(OK);
  });

  it('does not disable limits: each gateway counts alone', async () => {
    const { token: greedy } = await gateway.issue();
    const answers = await Promise.all(Array.from({ length: 105 }, () => ask(greedy)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  });

  it('is used again once it is available', async () => {
    await proxy.restore();
    const { token: fresh } = await gateway.issue();
    // Only a cached account makes the lookup unnecessary.
    await waitFor(async () => {
      const before = gateway.backends.accountCalls;
      expect(await ask(fresh)).toMatchObject(OK);
      expect(await ask(fresh)).toMatchObject(OK);
      return gateway.backends.accountCalls === before;
    });
  });
});
