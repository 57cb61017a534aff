import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, identityFromEnvironment, loadConfig } from './config.js';
import { withoutInput } from './redaction.js';

const schema = z.object({
  PORT: z.coerce.number().int().default(8080),
  MONGODB_URL: z.url(),
  LOG_LEVEL: z.enum(['info', 'debug']).optional(),
});

describe('loadConfig', () => {
  it.each([' ', '\t', ' \n'])('takes the default for %j, which is no 0: limits of 0 are off', (PORT) => {
    expect(loadConfig(schema, { PORT, MONGODB_URL: 'mongodb://host/db' }).PORT).toBe(
      loadConfig(schema, { MONGODB_URL: 'mongodb://h/' }).PORT,
    );
    expect(() => loadConfig(schema, { MONGODB_URL: PORT })).toThrow('MONGODB_URL');
  });

  it('takes defaults for what is missing or empty, and freezes', () => {
    const config = loadConfig(schema, { PORT: '', MONGODB_URL: 'mongodb://host/db' });
    expect(config).toEqual({ PORT: 8080, MONGODB_URL: 'mongodb://host/db' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('removes the trailing line break of a secret created from a file', () => {
    const secret = z.object({ S3_SECRET_KEY: z.string(), REDIS_URL: z.string().optional() });
    expect(loadConfig(secret, { S3_SECRET_KEY: ' c0ffee\n', REDIS_URL: '\r\n' })).toEqual({ S3_SECRET_KEY: ' c0ffee' });
  });

  it('names every invalid variable in one error, but no value', () => {
    const load = () => loadConfig(schema, { PORT: 'hunter2', LOG_LEVEL: 'hunter2' });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/PORT: .*\n.*MONGODB_URL: .*\n.*LOG_LEVEL: .*expected one of info\|debug/);
    expect(load).not.toThrow(/hunter2/);
  });

  it('keeps the allowed choices in the log', () => {
    const load = () => loadConfig(schema, { MONGODB_URL: 'mongodb://host/db', LOG_LEVEL: 'hunter2' });
    expect(load).toThrow(ConfigError);
    try {
      load();
    } catch (caught) {
      expect(withoutInput((caught as Error).message)).toContain('LOG_LEVEL: Invalid option: expected one of info|debug');
    }
  });
});

describe('identityFromEnvironment', () => {
  const NAMES = ['GRPC_TLS_FOLDER', 'GRPC_ALLOWED_CALLERS', 'GRPC_HEALTH_BIND'] as const;
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  it.each(['', ' ', '\n'])('counts %j as not set: an empty list of callers would refuse everybody', (value) => {
    for (const name of NAMES) process.env[name] = value;
    expect(identityFromEnvironment()).toMatchObject({ tlsFolder: undefined, allowedCallers: undefined, healthBind: undefined });
  });

  it('reads a list with blanks, and values of a file, which end with a line break', () => {
    process.env.GRPC_ALLOWED_CALLERS = 'gateway, exports,';
    process.env.GRPC_TLS_FOLDER = '/etc/stechuhr/tls\n';
    expect(identityFromEnvironment()).toMatchObject({ tlsFolder: '/etc/stechuhr/tls', allowedCallers: ['gateway', 'exports'] });
  });
});
