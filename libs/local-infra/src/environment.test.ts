import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cacheFolder } from './environment.js';
import { userName } from './process/user-name.js';

const usual = join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'stechuhr');

describe('the cache folder', () => {
  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['the configured one', { STECHUHR_CACHE: '/cache', XDG_CACHE_HOME: '/xdg' }, '/cache'],
    ['the usual one', {}, usual],
    // The XDG specification: if the variable is empty, the default applies; relative paths are ignored.
    ['not in the current folder because a variable is empty', { STECHUHR_CACHE: '', XDG_CACHE_HOME: '' }, usual],
    ['not in the current folder because a variable is relative', { XDG_CACHE_HOME: 'cache' }, usual],
  ])('is %s', (_what, env, folder) => {
    expect(cacheFolder(env)).toBe(folder);
  });
});

describe('a user that has only a number, as in a container', () => {
  const unknown = (): never => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  };

  it('is named by its number', () => {
    expect(userName(unknown)).toBe(String(process.getuid?.()));
  });

  it('is told to choose a folder for downloads', () => {
    expect(() => cacheFolder({}, unknown)).toThrow('This user has no home folder. Choose a folder for downloads by STECHUHR_CACHE.');
    expect(cacheFolder({ STECHUHR_CACHE: '/cache' }, unknown)).toBe('/cache');
  });
});
