import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { waitFor } from './wait-for.js';

const folder = mkdtempSync(join(tmpdir(), 'stechuhr-service-process-'));
const main = join(folder, 'main.mjs');
writeFileSync(main, `console.log(JSON.stringify({ msg: 'ready', grpc: '' })); setInterval(() => {}, 1_000);`);
const helper = pathToFileURL(join(import.meta.dirname, '../dist/service-process.js')).href;

afterAll(() => rmSync(folder, { recursive: true }));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a service that is not stopped', () => {
  it('does not keep its parent process alive, and ends with it', async () => {
    const starter = `
      import { startServiceProcess } from ${JSON.stringify(helper)};
      const { pid } = await startServiceProcess({ main: ${JSON.stringify(main)}, env: {} });
      console.log(pid);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', starter], { timeout: 60_000 });
    await waitFor(() => !isRunning(Number(stdout)));
    expect(Number(stdout)).toBeGreaterThan(0);
  });
});
