import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

describe('readConfig', () => {
  it('has defaults', () => {
    expect(readConfig({}, [])).toEqual({ home: expect.stringMatching(/\/\.stechuhr$/), port: 8080, demo: true, observe: false });
  });

  it('reads settings and treats an empty one as not set', () => {
    expect(readConfig({ PORT: '0', STECHUHR_HOME: 'state', STECHUHR_DEMO: 'off', INIT_CWD: '/here' }, ['--observe'])).toEqual({
      home: '/here/state',
      port: 0,
      demo: false,
      observe: true,
    });
    expect(readConfig({ PORT: '', STECHUHR_DEMO: '' }, [])).toMatchObject({ port: 8080, demo: true });
  });

  it.each([' ', ' 8080', '0x50', '8e3', '+80', '80.0', '-1'])('takes no port for %j', (PORT) => {
    expect(() => readConfig({ PORT }, [])).toThrow(`PORT must be a port or 0, not "${PORT}"`);
  });

  it('names everything that is wrong', () => {
    expect(() => readConfig({ PORT: '70000', STECHUHR_DEMO: 'no' }, ['--observed'])).toThrow(
      'PORT must be a port or 0, not "70000"\nthere is no option --observed, only --observe\nSTECHUHR_DEMO must be on or off, not "no"',
    );
  });
});
