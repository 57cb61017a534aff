import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createNoopMeter, metrics, type Meter } from '@opentelemetry/api';
import { ownTime, testServers, waitFor, type TestServers } from '@stechuhr/testing';
import { call } from './support/http.js';
import type { TestGateway } from './support/gateway.js';
import { startRedisProxy, type RedisProxy } from './support/redis-proxy.js';

/** The results of the lookups that were counted. */
const counted: unknown[] = [];
/** The results of the counters that were created with 0. */
const begun = new Set<unknown>();
const another = createNoopMeter().createCounter('');
const lookups = {
  add: (count: number, { result }: { readonly result: string }) => void (count === 0 ? begun.add(result) : counted.push(result)),
};
const meter: Meter = Object.assign(createNoopMeter(), {
  createCounter: (name: string) => (name === 'stechuhr.cache.lookups' ? lookups : another),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// The modules use the provider that is set when they are loaded.
const { startTestGateway } = await import('./support/gateway.js');

let servers: TestServers;
let proxy: RedisProxy;
let gateway: TestGateway;

beforeAll(async () => {
  servers = await testServers();
  proxy = await startRedisProxy(servers.redisUrl);
  gateway = await startTestGateway({ REDIS_URL: proxy.url, RATE_LIMIT_PER_MINUTE: '0' });
});
afterAll(async () => {
  await gateway.stop();
  await proxy.stop();
  await servers.stop();
  metrics.disable();
});

it('counts each result from 0', () => expect([...begun]).toEqual(['hit', 'miss', 'unavailable']));

// The alert for Redis looks at these counts for minutes, and the gateway asks Redis only during the first second.
it('counts lookups as unavailable for as long as Redis is', async () => {
  const { token } = await gateway.issue();
  const ask = async () => expect(await call(gateway.port, '/api/v2/', { token })).toMatchObject({ status: 200 });
  await waitFor(async () => {
    counted.splice(0);
    await ask();
    return counted.includes('hit');
  });
  proxy.hang();
  // Less than the time limit of a command: the gateway has noticed.
  await waitFor(async () => (await ownTime(ask)) < 150);
  counted.splice(0);
  await ask();
  expect(counted).not.toEqual([]);
  expect(counted.filter((result) => result !== 'unavailable')).toEqual([]);
});
