import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Listeners for these would outlive a test file and change how the worker ends. */
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];

/** Uses the worker's own realm as the environment of test files (runtime.mjs). What a file changes in the process is undone when it ends. */
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

  /** Called only by runners of tests in another realm. */
  getVmContext() {
    return null;
  }
}

/** Restores later what is changed until then: by Jest's own wrappers, and by tests. */
function undoing() {
  const { console } = globalThis;
  const { exit, exitCode } = process;
  const env = { ...process.env };
  const listeners = new Map(ENDINGS.map((name) => [name, process.rawListeners(name)]));
  return () => {
    globalThis.console = console;
    Object.assign(process, { exit, exitCode });
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    // Only what differs: setting TZ again would make V8 drop its time zone cache.
    for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
    for (const [name, before] of listeners) {
      for (const listener of process.rawListeners(name)) if (!before.includes(listener)) process.off(name, listener);
    }
  };
}
