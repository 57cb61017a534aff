import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where downloaded servers are kept between runs: `STECHUHR_CACHE`, otherwise the user's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env['STECHUHR_CACHE']) return env['STECHUHR_CACHE'];
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'stechuhr');
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'stechuhr');
}
