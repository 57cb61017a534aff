// Runs tests of stores on SecantusDB, a second implementation of MongoDB's protocol, so that no store relies on what only the stand-in does.
// Arguments are those of Jest; by default, all tests run that only need a MongoDB to be part of them. Without Python 3.11 the check says
// so, and passes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MissingProgram, startSecantusDb } from '../libs/local-infra/dist/index.js';

const STORES = ['libs/local-infra/test/mongo-contract', 'libs/mongo/test', 'services/[a-z-]+/test'];
/** Tests that fail because of SecantusDB (docs/not-exercised.md#mongodb). */
const KNOWN = [
  'services/absence-rules/test/list',
  'services/reviews/test/suppressions',
  'services/tasks/test/fairness',
  'services/webhooks/test/deliveries',
];

const chosen = process.argv.slice(2);
const args = chosen.length > 0 ? chosen : [...STORES, ...KNOWN.map((path) => `--testPathIgnorePatterns=${path}`)];

const server = await startSecantusDb({ log: (line) => console.error(line) }).catch((error) => {
  if (!(error instanceof MissingProgram)) throw error;
  console.log(`No test ran: ${error.message}`);
});
if (server !== undefined) {
  try {
    const env = { ...process.env, MONGODB_URL: server.address };
    const tests = spawn(process.execPath, ['scripts/bootstrap.mjs', 'test', ...args], { env, stdio: 'inherit' });
    const [code] = await once(tests, 'exit');
    process.exitCode = code ?? 1;
  } finally {
    await server.stop();
  }
}
