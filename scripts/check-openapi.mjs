// Checks that docs/openapi.json follows the rules of redocly.yaml, and that it does not break clients of the last released version
// (docs/openapi-released.json, which `npm run release` writes).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { formatProblems, getTotals, lint, loadConfig } from '@redocly/openapi-core';
import { provideTool } from '../libs/local-infra/dist/index.js';

const FILE = 'docs/openapi.json';
const RELEASED = 'docs/openapi-released.json';
/** Differences that were reviewed and break no client. A release empties the file. */
const ACCEPTED = 'docs/openapi-accepted.txt';

const problems = await lint({ ref: FILE, config: await loadConfig() });
const { errors, warnings } = getTotals(problems);
if (problems.length > 0) formatProblems(problems, { totals: { errors, warnings, ignored: 0 }, format: 'codeframe' });

const oasdiff = await provideTool('oasdiff', (line) => console.error(line));
const folder = mkdtempSync(join(tmpdir(), 'stechuhr-openapi-'));
try {
  const compared = [RELEASED, FILE].map((file) => withoutTexts(file, folder));
  execFileSync(oasdiff, ['breaking', '--fail-on', 'ERR', '--format', 'singleline', '--err-ignore', ACCEPTED, ...compared], {
    encoding: 'utf8',
  });
} catch ({ stdout, stderr }) {
  console.error(`${stdout}${stderr}${FILE} breaks clients of ${RELEASED}: existing clients have to work as before`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

if (errors + warnings > 0) process.exitCode = 1;
if (process.exitCode !== 1) console.log(`openapi: ${FILE} keeps the rules of redocly.yaml and breaks no client of ${RELEASED}`);

/**
 * Writes a copy of the document without descriptions, because oasdiff treats a subschema of `anyOf` with a changed description as a
 * different one. Only strings are removed: a property of the API that is named `description` is an object.
 *
 * @param {string} file
 * @param {string} folder
 * @returns {string} the path of the copy
 */
function withoutTexts(file, folder) {
  const copy = join(folder, basename(file));
  const isText = (/** @type {string} */ key, /** @type {unknown} */ value) => key === 'description' && typeof value === 'string';
  writeFileSync(
    copy,
    JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), (key, value) => (isText(key, value) ? undefined : value)),
  );
  return copy;
}
