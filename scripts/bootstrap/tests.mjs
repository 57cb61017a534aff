import { join } from 'node:path';
import { environment } from './node24.mjs';
import { runWithServers } from './servers.mjs';
import { say } from './say.mjs';
import { ROOT } from './stamps.mjs';

/** No result may depend on the time zone of the process, so tests of calculations also run in a time zone far from the German one. */
const OTHER_ZONES = ['America/Los_Angeles'];
const PURE_TESTS = ['--selectProjects', 'unit', '--testPathPatterns', 'libs/(worktime|exporting)/'];

/**
 * Runs Jest. Without arguments all tests run, and the tests of calculations once more in other time zones.
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function runTests(args) {
  let failure = await jest(args, {});
  if (args.length > 0) return failure;
  for (const TZ of OTHER_ZONES) {
    say(`the tests of libs/worktime and libs/exporting under TZ=${TZ}`);
    const code = await jest(PURE_TESTS, { TZ });
    failure ||= code;
  }
  return failure;
}

/** @param {readonly string[]} args @param {NodeJS.ProcessEnv} settings */
function jest(args, settings) {
  const options = [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const env = { ...environment(), NODE_OPTIONS: options.filter(Boolean).join(' '), ...settings };
  return runWithServers(process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), '--rootDir', ROOT, ...args], env);
}
