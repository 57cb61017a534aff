import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { busVariables } from './environment.js';

describe('the variables of the bus', () => {
  const problemsOf = (env: Readonly<Record<string, string>>): string[] =>
    z
      .object(busVariables)
      .safeParse({ NATS_URL: 'nats://n:4222', ...env })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

  it.each([
    [{}],
    [{ NATS_URL: 'n:4222' }],
    [{ NATS_URL: 'tls://records:secret@n-0:4222, tls://n-1:4222' }],
    [{ NATS_PROVISIONING_URL: 'nats://provisioner:secret@n:4222', NATS_REPLICAS: '3', NATS_ACK_WAIT_SECONDS: '30' }],
    [{ NATS_STREAMS: '{"events":{"partitions":4}}', NATS_SUBSCRIBERS: '[{"user":"audit","events":["*.*.*"]}]' }],
  ])('may be %j', (env) => {
    expect(problemsOf(env)).toEqual([]);
  });

  it.each([
    [{ NATS_URL: 'nats://n:port' }, /^NATS_URL: must be nats:\/\/host:port/],
    [{ NATS_URL: 'nats://n-0:4222,nats://n-1:port' }, /^NATS_URL: must be/],
    [{ NATS_PROVISIONING_URL: 'nats://' }, /^NATS_PROVISIONING_URL: must be/],
    [{ NATS_REPLICAS: 'three' }, /^NATS_REPLICAS: must be 1 to 5/],
    [{ NATS_STREAMS: '{"event":{}}' }, /^NATS_STREAMS: names event/],
    [{ NATS_SUBSCRIBERS: '{}' }, /^NATS_SUBSCRIBERS: must be a JSON array/],
    [{ NATS_ACK_WAIT_SECONDS: '0' }, /^NATS_ACK_WAIT_SECONDS: must be 1 to 600/],
  ])('are not %j', (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(problem)]);
  });
});
