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

  it.each(['warn', 'error', 'fatal'])('keeps LOG_LEVEL=%s back, under which no service says that it is ready', (level) => {
    expect(passedOn({ LOG_LEVEL: level })).toEqual({});
  });
});
