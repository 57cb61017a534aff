import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideSchemathesis } from '@stechuhr/local-infra';
import { sampleOrganization } from '../support/sample-organization.js';
import { startTestPlatform } from '../support/platform.js';

/** The same requests in every run, so that a run fails for what has changed and not by chance. */
const SEED = 20_261_005;

/** Twenty suffice on a machine that does nothing else; one that is slower than this tries less. */
const MAX_SECONDS = 60;

/**
 * A request that a schema does not allow is often answered: lists ignore what they cannot use (docs/rules/api.md#query-parameters). And
 * what every schema allows may still be wrong: a project that does not exist, the 31st of February, a range that ends before its start.
 */
const NOT_OURS = ['negative_data_rejection', 'positive_data_acceptance'];

/** Read-only groups that differ from employees and workdays in their fields only; the generated client calls them all. */
const ALIKE = '^/(employees/groups|projects|contracts|timestamps/(workmonths|timespans|absence|absence-applications)|accounts)/';

const OPTIONS = [
  ['--checks', 'all'],
  ['--exclude-checks', NOT_OURS.join(',')],
  // Not fuzzing, which goes on until the time is spent and so tries other things on every machine.
  ['--phases', 'examples,coverage'],
  ['--max-time', String(MAX_SECONDS)],
  ['--exclude-path-regex', ALIKE],
  ['--seed', String(SEED)],
  // Python 3.11 compiles in one thread at a time only.
  ['--workers', '1'],
  ['--request-timeout', '20'],
  ['--suppress-health-check', 'all'],
  ['--warnings', 'off'],
];

/** Tries the whole API of a running platform with what its document allows, and with what it does not. */
async function main(): Promise<number> {
  const { command, args, env } = await provideSchemathesis((line) => void process.stderr.write(`${line}\n`));
  const { lines, admin } = sampleOrganization(51);
  const platform = await startTestPlatform({}, ['tasks', 'worker', 'daily-reports', 'webhooks']);
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-schemathesis-'));
  try {
    await platform.importLines(lines);
    const token = await platform.issueToken(admin);
    const run = ['run', `${platform.baseUrl}/openapi.json`, '--header', `Authorization: Token ${token}`, ...OPTIONS.flat()];
    // It keeps notes where it runs.
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
