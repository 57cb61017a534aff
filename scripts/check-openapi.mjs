// Checks docs/openapi.json: the rules of redocly.yaml, and that clients of the last released version (docs/openapi-released.json, which
// `npm run release` writes) go on working.
import { execFileSync } from 'node:child_process';
import { formatProblems, getTotals, lint, loadConfig } from '@redocly/openapi-core';
import { provideTool } from '../libs/local-infra/dist/index.js';

const FILE = 'docs/openapi.json';
const RELEASED = 'docs/openapi-released.json';
/** Differences that were looked at and break nobody; emptied with a release. */
const ACCEPTED = 'docs/openapi-accepted.txt';

const problems = await lint({ ref: FILE, config: await loadConfig() });
const { errors, warnings } = getTotals(problems);
if (problems.length > 0) formatProblems(problems, { totals: { errors, warnings, ignored: 0 }, format: 'codeframe' });

const oasdiff = await provideTool('oasdiff', (line) => console.error(line));
try {
  execFileSync(oasdiff, ['breaking', '--fail-on', 'ERR', '--format', 'singleline', '--err-ignore', ACCEPTED, RELEASED, FILE], {
    encoding: 'utf8',
  });
} catch ({ stdout, stderr }) {
  console.error(`${stdout}${stderr}${FILE} breaks clients of ${RELEASED}: what they use has to stay as it is, beside what is new`);
  process.exitCode = 1;
}

if (errors + warnings > 0) process.exitCode = 1;
if (process.exitCode !== 1) console.log(`openapi: ${FILE} keeps the rules of redocly.yaml and breaks no client of ${RELEASED}`);
