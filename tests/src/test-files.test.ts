import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'stechuhr-jest-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A test file that changes global state. The next file in the same process must not see the changes. */
const LEAVES = `
import { expect, it } from '@jest/globals';
import { loads } from 'counted';
import { state } from './state.js';

it('finds everything as at the start', () => {
  expect([state.n, process.env.LEFT, process.exitCode, process.listenerCount('SIGHUP'), loads]).toEqual([0, undefined, undefined, 0, 1]);
  state.n += 1;
  process.env.LEFT = 'x';
  process.exitCode = 7;
  process.on('SIGHUP', () => undefined);
});
`;
const FILES = {
  'jest.config.mjs': `
import config from '${ROOT}/jest.config.mjs';
export default { ...config.projects[0], rootDir: '${ROOT}', roots: ['${folder}'], testMatch: ['**/*.test.ts'] };`,
  'node_modules/counted/package.json': '{ "name": "counted", "main": "index.js" }',
  'node_modules/counted/index.js': 'globalThis.counted = (globalThis.counted ?? 0) + 1; exports.loads = globalThis.counted;',
  'state.ts': 'export interface State { n: number }\n\nexport const state: State = { n: 0 };\n',
  'first.test.ts': LEAVES,
  'second.test.ts': LEAVES,
  'fails.test.ts': `import { expect, it } from '@jest/globals';
import type { State } from './state.js';

interface Found {
  readonly state: State;
}

const found = { state: { n: 1 } } satisfies Found;
it('fails', () => {
  expect(found.state.n).toBe(2);
});
`,
};

interface Ended {
  readonly code: unknown;
  readonly stderr: string;
}

function runJest(): Promise<Ended> {
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', join(ROOT, 'node_modules/jest/bin/jest.js')];
  const env = { ...process.env, NODE_OPTIONS: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, [...options, '--config', join(folder, 'jest.config.mjs'), '--runInBand'], { env }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
}

it('test files of a process share packages and nothing else, and name the line that failed', async () => {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { code, stderr } = await runJest();
  expect(stderr).toContain('Tests:       1 failed, 2 passed, 3 total');
  expect(stderr).toMatch(/Expected: 2\s+Received: 1[^]*fails\.test\.ts:10:25/);
  expect(code).toBe(1);
});
