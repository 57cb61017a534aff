import { describe, expect, it } from '@jest/globals';
import { passedOn } from './environment.js';

describe('passedOn', () => {
  it('hands on documented settings and nothing else', () => {
    const settings = {
      LOG_LEVEL: 'debug',
      TZ: 'UTC',
      OTEL_SERVICE_NAME: 'x',
      EXPORT_RATE_LIMIT_PER_MINUTE: '0',
      CONCURRENT_EXPORTS_PER_TOKEN: '0',
    };
    expect(passedOn({ ...settings, SECRET: 'no', STECHUHR_HOME: '/home', NODE_COMPILE_CACHE: '/compiled' })).toEqual(settings);
  });

  it('lets the gateway listen elsewhere only where that is said of Stechuhr: shells set HOST to the name of the machine', () => {
    expect(passedOn({ HOST: 'x86_64-conda-linux-gnu' })).toEqual({});
    expect(passedOn({ HOST: 'laptop', STECHUHR_HOST: '0.0.0.0' })).toEqual({ HOST: '0.0.0.0' });
    expect(passedOn({ STECHUHR_HOST: '' })).toEqual({});
  });

  it.each(['warn', 'error', 'fatal'])('keeps LOG_LEVEL=%s back, under which no service says that it is ready', (level) => {
    expect(passedOn({ LOG_LEVEL: level })).toEqual({});
  });
});
