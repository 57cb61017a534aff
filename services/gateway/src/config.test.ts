import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

const NEEDED = {
  MONGODB_URL: 'mongodb://m',
  NATS_URL: 'nats://n:4222',
  REDIS_URL: 'redis://r',
  RECORDS_ADDRESS: 'records:50051',
  EXPORTS_ADDRESS: 'exports:50051',
  TASKS_ADDRESS: 'tasks:50051',
  ABSENCE_RULES_ADDRESS: 'absence-rules:50051',
  REVIEWS_ADDRESS: 'reviews:50051',
  DAILY_REPORTS_ADDRESS: 'daily-reports:50051',
  WEBHOOKS_ADDRESS: 'webhooks:50051',
};

describe('readConfig', () => {
  it('has defaults for everything but addresses', () => {
    expect(readConfig(NEEDED)).toEqual({
      http: { host: '127.0.0.1', port: 8080, maxConnections: 4_000 },
      adminHost: '127.0.0.1',
      adminPort: 0,
      publicUrl: undefined,
      trustProxy: false,
      mongodb: { url: 'mongodb://m', database: 'stechuhr_gateway' },
      natsUrl: 'nats://n:4222',
      redisUrl: 'redis://r',
      addresses: {
        records: 'records:50051',
        exports: 'exports:50051',
        tasks: 'tasks:50051',
        absenceRules: 'absence-rules:50051',
        reviews: 'reviews:50051',
        dailyReports: 'daily-reports:50051',
        webhooks: 'webhooks:50051',
      },
      concurrentRequests: 500,
      concurrentExports: { perToken: 8, perReplica: 64 },
      drainMs: 600_000,
      limits: { perMinute: 600, burst: 60, perInstitution: 6_600, exportsPerMinute: 30 },
      logLevel: 'info',
    });
  });

  it.each([
    ['true', true],
    ['false', false],
    ['1', 1],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, fd00::/8 ,192.0.2.1', ['10.0.0.0/8', 'fd00::/8', '192.0.2.1']],
    ['192.0.2.1/32,fd00::1/128', ['192.0.2.1/32', 'fd00::1/128']],
  ])('reads TRUST_PROXY %j', (text, value) => {
    expect(readConfig({ ...NEEDED, TRUST_PROXY: text }).trustProxy).toEqual(value);
  });

  it('reads PUBLIC_URL without its trailing slash', () => {
    expect(readConfig({ ...NEEDED, PUBLIC_URL: 'https://a.example/b/' }).publicUrl).toBe('https://a.example/b');
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', 'x'],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '10.0.0.0/x'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', 'fd00::/129'],
    ['TRUST_PROXY', 'loopback/8'],
    ['PUBLIC_URL', 'api.example.de'],
    ['PUBLIC_URL', 'ftp://api.example.de'],
    ['RATE_LIMIT_PER_MINUTE', '-1'],
    ['RATE_LIMIT_BURST', '1.5'],
    ['RATE_LIMIT_PER_INSTITUTION', '-1'],
    ['RECORDS_ADDRESS', 'records'],
    ['MONGODB_URL', 'm:27017'],
    ['MONGODB_URL', 'mongodb://'],
    ['NATS_URL', 'nats://n:port'],
    ['GRPC_REQUIRE_GRANTS', 'yes'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(() => readConfig({ ...NEEDED, [name]: value })).toThrow(new RegExp(`${name}: `));
  });

  it('names every variable that is missing', () => {
    for (const name of Object.keys(NEEDED)) expect(() => readConfig({})).toThrow(name);
  });
});
