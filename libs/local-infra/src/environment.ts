import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Where downloaded servers are kept between runs: `STECHUHR_CACHE`, otherwise the user's cache folder.
 *
 * @throws Error with advice if the user has no home folder
 */
export function cacheFolder(env: NodeJS.ProcessEnv, home: () => string = homedir): string {
  if (env['STECHUHR_CACHE']) return env['STECHUHR_CACHE'];
  if (process.platform === 'darwin') return join(homeOf(home), 'Library', 'Caches', 'stechuhr');
  // An empty or relative folder counts as not set (XDG Base Directory Specification).
  const folder = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(folder) ? folder : join(homeOf(home), '.cache'), 'stechuhr');
}

/** In a container, a user may have only a number: then the system knows no home folder. */
function homeOf(home: () => string): string {
  try {
    return home();
  } catch (cause) {
    throw new Error('This user has no home folder. Choose a folder for downloads by STECHUHR_CACHE.', { cause });
  }
}
