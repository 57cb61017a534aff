import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Home } from './home.js';

describe('a home', () => {
  // Node's recursive mkdir never returned for paths in /proc.
  const inProc = process.platform === 'linux' ? it : it.skip;
  inProc('in a place that cannot be made is refused', async () => {
    await expect(Home.open('/proc/stechuhr/home')).rejects.toThrow(/^\/proc\/stechuhr\/home cannot hold the state, choose another folder/);
  });

  it('under a file is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stechuhr-home-'));
    writeFileSync(join(folder, 'file'), '');
    await expect(Home.open(join(folder, 'file', 'home'))).rejects.toThrow('choose another folder by STECHUHR_HOME');
    rmSync(folder, { recursive: true });
  });

  it('is made with the folders above it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stechuhr-home-'));
    const home = await Home.open(join(folder, 'a', 'b'));
    expect(home.path).toBe(join(folder, 'a', 'b'));
    await home.close();
    rmSync(folder, { recursive: true });
  });
});
