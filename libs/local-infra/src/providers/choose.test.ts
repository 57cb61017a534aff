import { describe, expect, it } from '@jest/globals';
import { choose } from './choose.js';
import { fromEnvironment } from './environment.js';
import { fromPath } from './path.js';
import type { Part, Provider, Surroundings } from './provider.js';

const works = (id: string): Provider<string> => ({
  id,
  prepare: async () => ({ description: id, start: () => Promise.reject(new Error('not started here')) }),
});
const refuses = (id: string): Provider<string> => ({ id, prepare: () => Promise.reject(new Error(`no ${id}`)) });
const part = (...providers: Provider<string>[]): Part<string> => ({ name: 'redis', label: 'Redis', providers, advice: 'Install Redis.' });
const around = (env: NodeJS.ProcessEnv = {}): Surroundings => ({ env, cache: { folder: '', log: () => {} } });
const environment = fromEnvironment('REDIS_URL', (_env, url) => url);

describe('choose', () => {
  it('takes a URL of the environment before everything else', async () => {
    const { recipe } = await choose(part(environment, works('docker')), around({ REDIS_URL: 'redis://elsewhere:1' }));
    expect(recipe.description).toBe('the server of REDIS_URL');
  });

  it('takes the first that works, and says why the ones before did not', async () => {
    const { provider, passedOver } = await choose(part(environment, refuses('docker'), works('path'), works('pypi')), around());
    expect([provider.id, passedOver]).toEqual(['path', ['no REDIS_URL', 'no docker']]);
  });

  it('stays with the provider that wrote the data, but not before the environment', async () => {
    const all = part(environment, works('docker'), works('path'), works('pypi'));
    expect((await choose(all, around(), 'pypi')).provider.id).toBe('pypi');
    expect((await choose(all, around({ REDIS_URL: 'redis://elsewhere:1' }), 'pypi')).provider.id).toBe('environment');
  });

  it('says what to install when nothing works', async () => {
    await expect(choose(part(environment, refuses('docker')), around())).rejects.toThrow(
      'Redis is not available here: no REDIS_URL; no docker.\nInstall Redis.',
    );
  });
});

describe('a program on PATH', () => {
  const node = (atLeast: [number, number]): Provider<string> =>
    fromPath({ command: process.execPath, versionArgument: '--version', version: /v(\d+)\.(\d+)/, atLeast }, () => {
      throw new Error('reached');
    });

  it('is taken when it is new enough', async () => {
    await expect(node([18, 0]).prepare(around())).rejects.toThrow('reached');
  });

  it('is passed over when it is too old', async () => {
    await expect(node([999, 1]).prepare(around())).rejects.toThrow(/older than 999\.1$/);
  });

  it('is passed over when there is none', async () => {
    const none = fromPath({ command: 'no-such-program', versionArgument: '-v', version: /(\d)(\d)/, atLeast: [1, 0] }, () => {
      throw new Error('reached');
    });
    await expect(none.prepare(around())).rejects.toThrow('no no-such-program on PATH');
  });
});
