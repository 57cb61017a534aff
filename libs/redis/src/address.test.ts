import { describe, expect, it } from '@jest/globals';
import { parseRedisUrl, redisVariable } from './address.js';

const host = (name: string, port: number) => ({ host: name, port });

describe('parseRedisUrl', () => {
  it.each([
    ['redis://cache', { topology: 'server', tls: false, hosts: [host('cache', 6379)], db: 0 }],
    ['rediss://:p%40ss@cache:6380/3', { topology: 'server', tls: true, hosts: [host('cache', 6380)], db: 3, password: 'p@ss' }],
    [
      'redis://gateway:secret@[::1]:7000',
      { topology: 'server', tls: false, hosts: [host('::1', 7000)], db: 0, username: 'gateway', password: 'secret' },
    ],
    ['redis+cluster://a:7000,b', { topology: 'cluster', tls: false, hosts: [host('a', 7000), host('b', 6379)], db: 0 }],
    ['rediss+cluster://u:p@a/0', { topology: 'cluster', tls: true, hosts: [host('a', 6379)], db: 0, username: 'u', password: 'p' }],
    [
      'redis+sentinel://a,b:26380/main',
      { topology: 'sentinel', tls: false, hosts: [host('a', 26_379), host('b', 26_380)], db: 0, master: 'main' },
    ],
    [
      'rediss+sentinel://u:p@a/main?db=2&sentinel_username=s&sentinel_password=q%26',
      {
        topology: 'sentinel',
        tls: true,
        hosts: [host('a', 26_379)],
        db: 2,
        username: 'u',
        password: 'p',
        master: 'main',
        sentinelUsername: 's',
        sentinelPassword: 'q&',
      },
    ],
  ])('reads %s', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  it.each([
    ['', 'must be redis://'],
    ['http://cache', 'must be redis://'],
    ['redis+master://cache', 'must be redis://'],
    ['redis://', 'must be redis://'],
    ['redis://a,b', 'redis+cluster://'],
    ['redis://a:port', 'a host that cannot be read'],
    ['redis://cache/main', 'a database that is not a number'],
    ['redis://:%zz@cache', 'not percent-encoded'],
    ['redis+cluster://a,', 'a host that cannot be read'],
    ['redis+cluster://a/1', 'a cluster has only one'],
    ['redis+sentinel://a', 'has to name the server'],
    ['redis+sentinel://a/main?db=x', 'a database that is not a number'],
  ])('reports the problem of %s', (url, message) => {
    expect(() => parseRedisUrl(url)).toThrow(message);
  });

  it('never repeats the password', () => {
    const parsed = redisVariable.safeParse('redis://u:hunter2@a,b');
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });
});
