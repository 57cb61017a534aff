import { readFileSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';

const GLOBALS = '@jest/globals';
/** Third-party packages and modules of Node, by URL: each is loaded by Node itself, once for all test files of a worker. */
const packages = new Map();
/** Our files after Jest's transformation, by path. */
const transformed = new Map();
/** The source map of each of them, for stack traces. */
export const sourceMaps = new Map();

/**
 * @typedef {object} Loading
 * @property {(specifier: string, from: string) => string} resolve a path, or `node:…`
 * @property {(path: string) => boolean} isEsm
 * @property {(path: string, source: string) => { code: string, sourceMapPath: string | null }} transform
 * @property {() => Readonly<Record<string, unknown>>} globals what `@jest/globals` exports to the test file
 */

/**
 * Our modules as one test file sees them: evaluated for this file only, so that no state is shared between files, but in the realm of the worker,
 * which also contains the packages that they use.
 */
export class FileModules {
  /** @type {Map<string, SourceTextModule>} linked modules by path */
  #modules = new Map();
  /** @type {Promise<unknown>} */
  #linking = Promise.resolve();
  #loading;
  /** @type {SyntheticModule | undefined} */
  #globals;

  /** @param {Loading} loading */
  constructor(loading) {
    this.#loading = loading;
  }

  /** @param {string} path */
  async import(path) {
    const module = await this.#link(path);
    await module.evaluate();
    return module;
  }

  /**
   * One graph after the other, since a second one would find modules that are not linked yet.
   * @param {string} path
   */
  #link(path) {
    const linked = this.#linking.then(() => this.#modules.get(path) ?? this.#linkGraph(path));
    this.#linking = linked.catch(() => undefined);
    return linked;
  }

  /** @param {string} root */
  async #linkGraph(root) {
    const graph = this.#readGraph(root);
    const targets = new Set([...graph.values()].flatMap(({ imports }) => imports));
    const others = new Map();
    // One after the other, since a package must not find another one half loaded.
    for (const target of targets) if (!isOurs(target)) others.set(target, await this.#other(target));
    const find = (target) => others.get(target) ?? graph.get(target)?.module ?? this.#modules.get(target);
    for (const { module, imports } of graph.values()) module.linkRequests(imports.map(find));
    graph.get(root).module.instantiate();
    for (const [path, { module }] of graph) this.#modules.set(path, module);
    return graph.get(root).module;
  }

  /**
   * Reads all of our modules that a module imports and that this test file has not loaded yet, with their imports.
   * @param {string} root
   */
  #readGraph(root) {
    const graph = new Map();
    const queue = [root];
    for (const path of queue) {
      if (graph.has(path) || this.#modules.has(path)) continue;
      const module = this.#read(path);
      const imports = module.moduleRequests.map(({ specifier }) => this.#target(specifier, path));
      graph.set(path, { module, imports });
      queue.push(...imports.filter(isOurs));
    }
    return graph;
  }

  /** @param {string} path */
  #read(path) {
    return new SourceTextModule(codeOf(path, this.#loading.transform), {
      identifier: path,
      initializeImportMeta: (meta) => {
        Object.assign(meta, { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) });
      },
      importModuleDynamically: (specifier) => this.#importFrom(specifier, path),
    });
  }

  /** @param {string} specifier @param {string} from */
  async #importFrom(specifier, from) {
    const target = this.#target(specifier, from);
    return isOurs(target) ? this.import(target) : this.#other(target);
  }

  /**
   * A module that is not ours.
   * @param {string} target
   */
  #other(target) {
    if (target !== GLOBALS) return loadedPackage(target);
    this.#globals ??= synthetic(GLOBALS, this.#loading.globals());
    return this.#globals;
  }

  /**
   * The path of one of our modules, the URL of what Node loads, or `@jest/globals`.
   * @param {string} specifier
   * @param {string} from
   */
  #target(specifier, from) {
    if (specifier === GLOBALS) return specifier;
    const found = this.#loading.resolve(specifier, from);
    if (found.startsWith('node:')) return found;
    const ours = !found.includes(`${sep}node_modules${sep}`) && this.#loading.isEsm(found);
    return ours ? found : pathToFileURL(found).href;
  }
}

/** @param {string} target */
const isOurs = (target) => target !== GLOBALS && !/^(?:node|file):/.test(target);

/** @param {string} address */
function loadedPackage(address) {
  const known = packages.get(address);
  if (known !== undefined) return known;
  const attributes = address.endsWith('.json') ? { with: { type: 'json' } } : {};
  const loading = import(address, attributes).then((namespace) => synthetic(address, namespace));
  packages.set(address, loading);
  return loading;
}

/**
 * A module that exports existing values.
 * @param {string} identifier
 * @param {Readonly<Record<string, unknown>>} values
 */
function synthetic(identifier, values) {
  const exported = Object.entries(values);
  const module = new SyntheticModule(
    exported.map(([name]) => name),
    () => exported.forEach(([name, value]) => module.setExport(name, value)),
    { identifier },
  );
  void module.evaluate();
  return module;
}

/** @param {string} path @param {Loading['transform']} transform */
function codeOf(path, transform) {
  // Files may change while Jest is watching.
  const { mtimeMs } = statSync(path);
  const known = transformed.get(path);
  if (known?.mtimeMs === mtimeMs) return known.code;
  const { code, sourceMapPath } = transform(path, readFileSync(path, 'utf8'));
  transformed.set(path, { mtimeMs, code });
  if (sourceMapPath !== null) sourceMaps.set(path, sourceMapPath);
  return code;
}
