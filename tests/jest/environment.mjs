import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Events whose listeners are restored after a test file, because they would change how the worker ends. */
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];

/**
 * An environment in which test files run in the worker's own realm (runtime.mjs). Changes that a file makes to the process are undone at
 * its end.
 */
export default class WorkerEnvironment {
  global = globalThis;
  fakeTimers = null;
  #conditions;
  #undo = undoing();

  /** @param {{ projectConfig: ConstructorParameters<typeof ModernFakeTimers>[0]['config'] }} config */
  constructor({ projectConfig }) {
    this.#conditions = /** @type {string[]} */ (projectConfig.testEnvironmentOptions.customExportConditions);
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#undo();
  }

  exportConditions() {
    return this.#conditions;
  }

  /** Needed only by code that runs tests in another realm. */
  getVmContext() {
    return null;
  }
}

/** Records the state of the process. @returns a function that undoes later changes by Jest's wrappers and by tests */
function undoing() {
  const { console } = globalThis;
  const { exit, exitCode } = process;
  const env = { ...process.env };
  const listeners = new Map(ENDINGS.map((name) => [name, process.rawListeners(name)]));
  return () => {
    globalThis.console = console;
    Object.assign(process, { exit, exitCode });
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    // Only variables that differ are set, because setting TZ makes V8 discard its cached time zone.
    for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
    for (const [name, before] of listeners) {
      for (const listener of process.rawListeners(name)) if (!before.includes(listener)) process.off(name, listener);
    }
  };
}
