import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideSchemathesis } from '@stechuhr/local-infra';
import { sampleOrganization } from '../support/sample-organization.js';
import { startTestPlatform } from '../support/platform.js';

/** The same requests in every run, so that failures are caused by changes and not by chance. */
const SEED = 20_261_005;

/** Ends a run that hangs. Twenty seconds suffice on an idle machine; a limit near what a busy one needs would leave out requests there. */
const MAX_SECONDS = 300;

/**
 * Requests that a schema does not allow are often accepted, since lists ignore parameters that they cannot use (docs/rules/api.md#query-parameters).
 * And requests that the schemas allow may still be invalid: a project that does not exist, 31 February, a range that ends before its start.
 */
const EXCLUDED_CHECKS = ['negative_data_rejection', 'positive_data_acceptance'];

/** Read-only groups that differ from employees and workdays only in their fields. The generated client calls all of them. */
const SIMILAR_GROUPS = '^/(employees/groups|projects|contracts|timestamps/(workmonths|timespans|absence|absence-applications)|accounts)/';

const OPTIONS = [
  ['--checks', 'all'],
  ['--exclude-checks', EXCLUDED_CHECKS.join(',')],
  // Without fuzzing, which would use up the time limit and therefore send different requests on every machine.
  ['--phases', 'examples,coverage'],
  ['--max-time', String(MAX_SECONDS)],
  ['--exclude-path-regex', SIMILAR_GROUPS],
  ['--seed', String(SEED)],
  // Python 3.11 compiles in one thread only.
  ['--workers', '1'],
  ['--request-timeout', '20'],
  ['--suppress-health-check', 'all'],
  ['--warnings', 'off'],
];

/** Tries all operations of a running platform with requests that its OpenAPI document allows, and with others. */
async function main(): Promise<number> {
  const { command, args, env } = await provideSchemathesis((line) => void process.stderr.write(`${line}\n`));
  const { lines, admin } = sampleOrganization(51);
  const platform = await startTestPlatform({}, ['tasks', 'worker', 'daily-reports', 'webhooks']);
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-schemathesis-'));
  try {
    await platform.importLines(lines);
    const token = await platform.issueToken(admin);
    const run = ['run', `${platform.baseUrl}/openapi.json`, '--header', `Authorization: Token ${token}`, ...OPTIONS.flat()];
    // It writes files to its working directory.
    const child = spawn(command, [...args, ...run, ...process.argv.slice(2)], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    await platform.stop();
    await rm(folder, { recursive: true });
  }
}

process.exitCode = await main();
