import { expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '../src/index.js';
import { stillRunning } from './starter.js';

it('a platform that is stopped while one of its servers starts again leaves nothing running', async () => {
  const home = mkdtempSync(join(tmpdir(), 'stechuhr-platform-'));
  const started = (): readonly { readonly pid: number }[] => JSON.parse(readFileSync(join(home, 'processes.json'), 'utf8')) as [];
  const platform = await startPlatform({ home, own: true, services: [] });
  const { nats } = platform.infra.servers;
  await nats.kill();
  // It has not answered yet when the platform is stopped.
  const restarted = nats.restart().catch(() => undefined);
  await platform.stop();
  const left = await stillRunning(started().map(({ pid }) => pid));
  for (const pid of left) process.kill(pid, 'SIGKILL');
  await restarted;
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  expect(left).toEqual([]);
});
