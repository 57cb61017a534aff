import { checkStages, steps } from '../steps.mjs';
import { environment } from './node24.mjs';
import { prepare } from './prepare.mjs';
import { runInForeground, runQuietly } from './processes.mjs';
import { Advice, say, secondsSince } from './say.mjs';
import { ROOT } from './stamps.mjs';
import { runTests } from './tests.mjs';

/**
 * Runs one step in the foreground.
 * @param {string} name
 * @param {readonly string[]} args passed to its last command
 * @returns {Promise<number>}
 */
export async function runStep(name, args) {
  const step = steps[name];
  if (step === undefined) throw new Advice(`There is no step ${name}. There are: ${Object.keys(steps).join(', ')}.`);
  await prepare(step.after ?? 'build');
  process.chdir(ROOT);
  for (const [index, command] of step.run.entries()) {
    const own = index === step.run.length - 1 ? args : [];
    const code = await runInForeground(command.command, [...command.args, ...own], environment());
    if (code !== 0) return code;
  }
  return 0;
}

/**
 * Runs all checks and prints a line with the duration for each step. A step that fails ends its lane, and no further stage begins.
 * @param {{ tests: boolean }} options
 */
export async function check({ tests }) {
  const began = Date.now();
  for (const stage of checkStages) {
    const lanes = await Promise.allSettled(stage.map(runLane));
    const failures = lanes.flatMap((lane) => (lane.status === 'rejected' ? [lane.reason] : []));
    if (failures.length > 0) throw new Advice(failures.map(({ message }) => message).join('\n\n'));
  }
  if (!tests) return 0;
  const testsBegan = Date.now();
  const code = await runTests([]);
  say(code === 0 ? `✓ tests ${secondsSince(testsBegan)}; total ${secondsSince(began)}` : `✗ tests ${secondsSince(testsBegan)}`);
  return code;
}

/** @param {readonly string[]} names */
async function runLane(names) {
  for (const name of names) {
    const began = Date.now();
    await runStepQuietly(name);
    say(`✓ ${name} ${secondsSince(began)}`);
  }
}

/**
 * Disables Java's optimizing compiler. The programs and servers of a step run for seconds, of which it took half: MongoDB's stand-in needs
 * less CPU time with it only after about a minute of its own CPU time.
 */
const FEW_SECONDS = '-XX:TieredStopAtLevel=1';

/** @param {string} name */
async function runStepQuietly(name) {
  const { after, run } = steps[name] ?? { run: [] };
  try {
    await prepare(after ?? 'build', { fetchServers: true });
    const env = { JDK_JAVA_OPTIONS: FEW_SECONDS, ...environment() };
    for (const { command, args } of run) await runQuietly(command, args, { cwd: ROOT, env });
  } catch (error) {
    throw new Advice(
      `✗ ${name}\n${error instanceof Error ? error.message : error}\nTo run only this step: node scripts/bootstrap.mjs run ${name}`,
    );
  }
}
