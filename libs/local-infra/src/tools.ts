import { copyFileSync, cpSync, existsSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheFolder } from './environment.js';
import { cached, type Cache } from './fetch/cached.js';
import { debianProgram } from './fetch/debian-package.js';
import { goProgram, type GoProgram } from './fetch/go-program.js';
import { goModule, goProgramOfCopy, makeWritable, type GoModule } from './fetch/go-module.js';
import { anyGo } from './fetch/go-toolchain.js';
import { javaGenerator, type JavaGenerator } from './fetch/java-generator.js';
import { pythonTool, type PythonCommand } from './fetch/python-tool.js';
import type { Log } from './log.js';
import { natsProgram } from './parts/nats.js';
import { runCommand } from './process/run-command.js';

const GO_TOOLS = {
  helm: { path: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0', name: 'helm' },
  kubeconform: { path: 'github.com/yannh/kubeconform/cmd/kubeconform', version: 'v0.8.0', name: 'kubeconform' },
  'metrics-server': { path: 'sigs.k8s.io/metrics-server/cmd/metrics-server', version: 'v0.9.0', name: 'metrics-server' },
  oasdiff: { path: 'github.com/oasdiff/oasdiff', version: 'v1.35.0', name: 'oasdiff' },
} as const satisfies Record<string, GoProgram>;

/** KEDA, which scales by the length of a queue. Its manifests are in the module, too. */
export const kedaModule: GoModule = {
  path: 'github.com/kedacore/keda/v2',
  version: 'v2.20.2',
  sum: 'h1:SR60v8uIcelbveS8n/1jcl8tLdBBIbHMxmdOHw8tKqA=',
};
const keda = { module: kedaModule.path, version: kedaModule.version };

/**
 * cert-manager, which issues certificates. Its definitions are in the module, too; later versions have their programs in modules that are not on the
 * proxy.
 */
export const certManagerModule: GoModule = {
  path: 'github.com/cert-manager/cert-manager',
  version: 'v1.11.5',
  sum: 'h1:K2LurvwIE4hIhODQZnkOW6ljYe3lVMAliS/to+gI05o=',
};
const certManager = { module: certManagerModule.path, version: certManagerModule.version };

/** Programs whose modules have replace directives. This is the latest Traefik that can be built from the module proxy alone. */
const GO_COPIES = {
  'cert-manager': { ...certManager, path: './cmd/controller', name: 'cert-manager' },
  'docker-compose': { module: 'github.com/docker/compose/v2', path: './cmd', version: 'v2.40.3', name: 'docker-compose' },
  keda: { ...keda, path: './cmd/operator', name: 'keda' },
  'keda-adapter': { ...keda, path: './cmd/adapter', name: 'keda-adapter' },
  skaffold: { module: 'github.com/GoogleContainerTools/skaffold/v2', path: './cmd/skaffold', version: 'v2.16.1', name: 'skaffold' },
  traefik: { module: 'github.com/traefik/traefik/v3', path: './cmd/traefik', version: 'v3.6.12', name: 'traefik' },
} as const satisfies Record<string, GoProgram & { readonly module: string }>;

/** From Debian, with the scripts of its web pages. */
const PROMETHEUS = [
  'prometheus',
  'fonts-glyphicons-halflings',
  'libjs-bootstrap4',
  'libjs-d3',
  'libjs-eonasdan-bootstrap-datetimepicker',
  'libjs-jquery',
  'libjs-jquery-hotkeys',
  'libjs-moment',
  'libjs-moment-timezone',
  'libjs-mustache',
  'libjs-popper.js',
  'libjs-rickshaw',
] as const;

/** Tools that checks run, and servers that monitor the platform or run in front of it; the platform itself needs none of them. */
export type ToolName = keyof typeof GO_TOOLS | keyof typeof GO_COPIES | 'promtool' | 'nats-server';

/** The Kubernetes version against whose API the charts are validated. */
export const kubernetesVersion = '1.34.3';

const toolCache = (log: Log): Cache => ({ folder: cacheFolder(process.env), log });

/** The command of a tool in its pinned version, built with Go (a minute or two, once) or unpacked from Debian packages. */
export async function provideTool(name: ToolName, log: Log = () => {}): Promise<string> {
  const cache = toolCache(log);
  switch (name) {
    case 'nats-server':
      return natsProgram(cache);
    case 'cert-manager':
    case 'docker-compose':
    case 'keda':
    case 'keda-adapter':
    case 'skaffold':
    case 'traefik':
      return goProgramOfCopy(cache, GO_COPIES[name].module, GO_COPIES[name]);
    case 'promtool':
      return unlessInstalled(name, () => unpackedPrometheus(cache, name));
    default:
      return goProgram(cache, GO_TOOLS[name], () => anyGo(cache));
  }
}

/** Prometheus, and the folder of its web pages if they are not in the default place. */
export async function providePrometheus(log: Log = () => {}): Promise<{ readonly command: string; readonly pages: string | undefined }> {
  let pages: string | undefined;
  const command = await unlessInstalled('prometheus', async () => {
    const unpacked = await unpackedPrometheus(toolCache(log), 'prometheus');
    pages = join(unpacked, '../../share/prometheus/web');
    mendMenus(pages);
    return unpacked;
  });
  return { command, pages };
}

/** Debian 12 links a menu library as a module, which a page cannot load as a script; the script form of the library is next to it. */
function mendMenus(pages: string): void {
  const [link, scripts] = [join(pages, 'static', 'popper.js'), '../../../javascript/popper.js/umd'];
  if (!existsSync(join(pages, 'static', scripts)) || readlinkSync(link) === scripts) return;
  const draft = `${link}.${process.pid}`;
  symlinkSync(scripts, draft);
  renameSync(draft, link);
}

async function unpackedPrometheus(cache: Cache, program: 'prometheus' | 'promtool'): Promise<string> {
  return (await debianProgram(cache, PROMETHEUS, `usr/bin/${program}`, 'prometheus-with-pages')).command;
}

async function unlessInstalled(name: string, provide: () => Promise<string>): Promise<string> {
  const isInstalled = await runCommand(name, ['--version'], { timeoutMs: 10_000 }).catch(() => undefined);
  return isInstalled === undefined ? provide() : name;
}

/** Downloads and builds what tests run, so that no test has to wait for it. */
export async function prefetchTools(log: Log): Promise<void> {
  await provideTool('helm', log);
  await provideTool('kubeconform', log);
  await provideTool('promtool', log);
}

/** Schemathesis, which tests an API with values that its OpenAPI document allows. */
export function provideSchemathesis(log: Log = () => {}): Promise<PythonCommand> {
  return pythonTool(toolCache(log), { name: 'schemathesis', module: 'schemathesis.cli', oldestPython: '3.11' });
}

/** The tools for generating, checking and running a Python client: openapi-python-client, and mypy among its modules. */
export function providePythonGenerator(log: Log = () => {}): Promise<PythonCommand> {
  return pythonTool(toolCache(log), { name: 'openapi-python-client', module: 'openapi_python_client', oldestPython: '3.11' });
}

/** The tools for generating, compiling and running a Java client; requires a JDK and Maven. */
export function provideJavaGenerator(log: Log = () => {}): Promise<JavaGenerator> {
  return javaGenerator(toolCache(log));
}

/** The cached path of one file of a Go module, from the module proxy. */
export async function goModuleFile(module: string, version: string, file: string, log: Log = () => {}): Promise<string> {
  const cache = toolCache(log);
  const folder = await cached(cache, {
    name: `${module.replaceAll('/', '-')}-${version}-${basename(file)}`,
    what: `fetching ${basename(file)} of ${module} ${version}`,
    make: async (draft) => {
      const sources = await goModule(cache, module, version);
      copyFileSync(join(sources, file), join(draft, basename(file)));
    },
  });
  return join(folder, basename(file));
}

/**
 * The cached path of a folder of a Go module, copied from the module proxy.
 * @throws if the module is not the pinned one
 */
export async function goModuleFolder({ path, version, sum }: GoModule, folder: string, log: Log = () => {}): Promise<string> {
  const cache = toolCache(log);
  const item = {
    name: `${path.replaceAll('/', '-')}-${version}-${basename(folder)}`,
    what: `fetching ${path} ${version}`,
    make: async (draft: string) => {
      const copy = join(draft, 'copy');
      cpSync(join(await goModule(cache, path, version, sum), folder), copy, { recursive: true });
      makeWritable(copy);
    },
  };
  return join(await cached(cache, item), 'copy');
}
