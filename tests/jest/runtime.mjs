import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import Runtime from 'jest-runtime';
import { FileModules, sourceMaps } from './modules.mjs';

/** The output format for Jest's transformer. */
const ES_MODULES = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};
/** Symbols under which jest-circus stores the state of one test file on `globalThis`. */
const FILE_STATE_SYMBOLS = new Set([
  'JEST_STATE_SYMBOL',
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'WAIT_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'LOG_ERRORS_BEFORE_RETRY',
]);
/** Cached resolutions, by folder. @type {Map<string, string>} */
const found = new Map();

/**
 * Runs test files in the worker's own realm. Jest's runtime gives each file its own realm and evaluates every package in it again, which took most of
 * the time of a run. Here, packages are loaded once per worker, and our own modules once per file. Modules cannot be mocked.
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

  /**
   * jest-circus: its parts are loaded once per worker, except for the module with the tests, which is loaded for each file.
   * @param {string} path
   */
  requireInternalModule(path) {
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (FILE_STATE_SYMBOLS.has(symbol.description ?? '')) Reflect.deleteProperty(globalThis, symbol);
    }
    const require = createRequire(path);
    delete require.cache[path];
    return require(path);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  /** Already installed by the worker. */
  installGetBuiltinModule() {}

  /** Nothing to reset: Jest would drop only modules that it has loaded itself. */
  resetModules() {}

  setMock() {
    throw new Error('Modules cannot be mocked, because packages are loaded once for many test files.');
  }

  setModuleMock() {
    this.setMock();
  }
}
