import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import Runtime from 'jest-runtime';
import { FileModules, sourceMaps } from './modules.mjs';

/** The form in which Jest's transformer is to write a file. */
const ES_MODULES = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};
/** Under these names jest-circus keeps on `globalThis` what belongs to one test file. */
const OF_A_FILE = new Set([
  'JEST_STATE_SYMBOL',
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'WAIT_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'LOG_ERRORS_BEFORE_RETRY',
]);
/** Where something was found from a folder. @type {Map<string, string>} */
const found = new Map();

/**
 * Runs test files in the worker's own realm. Jest's runtime gives each file a realm and evaluates every package in it anew, which took most of
 * the time of a run; here packages are loaded once for a worker, our own modules once for each file. Modules cannot be mocked.
 */
export default class WorkerRuntime extends Runtime {
  #modules;

  /** @param {ConstructorParameters<typeof Runtime>} given */
  constructor(...given) {
    super(...given);
    const [, environment, resolver, transformer, , coverage] = given;
    const options = { ...ES_MODULES, ...coverage };
    const conditions = { conditions: ['import', 'module-sync', 'default', ...environment.exportConditions()] };
    this.#modules = new FileModules({
      resolve: (specifier, from) => {
        if (resolver.isCoreModule(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
        const key = `${dirname(from)}\0${specifier}`;
        const path = found.get(key) ?? resolver.resolveModule(from, specifier, conditions);
        found.set(key, path);
        return path;
      },
      isEsm: (path) => this.unstable_shouldLoadAsEsm(path),
      transform: (path, source) => transformer.transform(path, options, source),
      globals: () => this.requireModuleOrMock('', '@jest/globals'),
    });
  }

  /** @param {string} path */
  async unstable_importModule(path) {
    return this.#modules.import(path);
  }

  /** @param {string} from @param {string} [name] */
  requireModule(from, name = from) {
    return createRequire(from)(name);
  }

  /** jest-circus: its parts once for the worker, but the module that holds the tests for each file. @param {string} path */
  requireInternalModule(path) {
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_A_FILE.has(symbol.description ?? '')) Reflect.deleteProperty(globalThis, symbol);
    }
    const require = createRequire(path);
    delete require.cache[path];
    return require(path);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  /** It belongs to the worker. */
  installGetBuiltinModule() {}

  /** What Jest would forget here is what it loaded itself: nothing. */
  resetModules() {}

  setMock() {
    throw new Error('Modules are not mocked here: packages are loaded once for many test files.');
  }

  setModuleMock() {
    this.setMock();
  }
}
