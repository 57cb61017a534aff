import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideSchemathesis } from '@stechuhr/local-infra';
import { sampleOrganization } from '../support/sample-organization.js';
import { startTestPlatform } from '../support/platform.js';

/** A fixed seed: every run sends the same requests, so that a run fails because of a change and not by chance. */
const SEED = 20_261_005;

/** Time limit. Twenty seconds suffice on an idle machine; on a very slow machine fewer requests are sent. */
const MAX_SECONDS = 60;

/**
 * Checks that do not apply. Requests that violate the schema may succeed, because lists ignore unknown query parameters
 * (docs/rules/api.md#query-parameters). Requests that match the schema may be rejected, for example for a project that does not exist, the
 * 31st of February, or a range that ends before its start.
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
  // More threads do not help: Python 3.11 executes only one at a time.
  ['--workers', '1'],
  ['--request-timeout', '20'],
  ['--suppress-health-check', 'all'],
  ['--warnings', 'off'],
];

/** Tests the whole API of a running platform with requests that its OpenAPI document allows and with requests that it does not allow. */
async function main(): Promise<number> {
  const { command, args, env } = await provideSchemathesis((line) => void process.stderr.write(`${line}\n`));
  const { lines, admin } = sampleOrganization(51);
  const platform = await startTestPlatform({}, ['tasks', 'worker', 'daily-reports', 'webhooks']);
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-schemathesis-'));
  try {
    await platform.importLines(lines);
    const token = await platform.issueToken(admin);
    const run = ['run', `${platform.baseUrl}/openapi.json`, '--header', `Authorization: Token ${token}`, ...OPTIONS.flat()];
    // Schemathesis writes files to its working directory.
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
