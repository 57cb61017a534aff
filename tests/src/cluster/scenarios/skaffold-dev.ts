import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort, provideTool } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import { exportLastMonth } from '../../docker/exported.js';
import { call } from '../../support/http.js';
import type { Kubernetes } from '../platform/kubernetes.js';
import { simpleMongodb } from '../platform/open.js';
import type { Platform } from '../platform/platform.js';
import { labelOf, services } from '../platform/pods.js';
import { RELEASE } from '../platform/release.js';
import { toolbox } from '../platform/toolbox.js';
import { ROOT } from '../root.js';
import { Checkout } from '../skaffold/checkout.js';
import { startRunning, type Running } from '../skaffold/running.js';
import { insist, type Scenario } from './scenario.js';

const NAMESPACE = 'stechuhr-check-dev';

/** The service that is edited, a source whose result clients see, and the change. */
const SERVICE = 'records';
const SOURCE = `services/${SERVICE}/src/grpc/to-proto.ts`;
const PROTO = `protos/stechuhr/${SERVICE}/v1/${SERVICE}.proto`;
const PLACE = 'return { ...institution, absenceTypes';
const NAME = 'Changed while it ran';

/** Time for building ten images and starting the servers and nine services on a machine without any cached data. */
const STARTS_MS = 1_500_000;
const SYNCED_MS = 120_000;
const REBUILT_MS = 420_000;
const STOPS_MS = 120_000;

export const skaffoldDev: Scenario = {
  name: 'skaffold dev: a changed file is served by the pod that runs, a changed proto by a new image',
  alone: true,
  async run(platform) {
    const { cluster, log } = platform;
    const kube = platform.kube.in(NAMESPACE);
    const skaffold = await provideTool('skaffold', log);
    const ports = { [`${RELEASE}-gateway`]: await freePort(), [`${RELEASE}-minio`]: await freePort() };
    const state = await mkdtemp(join(tmpdir(), 'stechuhr-skaffold-'));
    await platform.vacate();
    await prepareNamespace(platform, kube);
    const engine = await cluster.skaffoldEngine?.();
    const build = engine === undefined ? undefined : `${process.execPath} ${join(ROOT, 'tests/dist/cluster/skaffold/build-image.js')}`;
    const checkout = await Checkout.copied({ namespace: NAMESPACE, ports, values: valuesFor(platform, ports), build });
    const env = await environment(platform, engine);
    const running: Running[] = [];
    const started = (command: string, args: readonly string[]): Running => {
      const one = startRunning(command, args, { cwd: checkout.folder, env });
      running.push(one);
      return one;
    };
    try {
      await writeFile(join(state, 'config'), 'global: { local-cluster: true, survey: { disable-prompt: true }, collect-metrics: false }\n');
      const compiler = started(join(checkout.folder, 'node_modules/.bin/tsc'), [
        '-b',
        '--watch',
        '--preserveWatchOutput',
        `services/${SERVICE}`,
      ]);
      await until(compiler, () => /Found 0 errors\. Watching/.test(compiler.output()), STARTS_MS);
      const own = ['--config', join(state, 'config'), '--cache-file', join(state, 'cache')];
      const dev = started(skaffold, ['dev', '--watch-image', `stechuhr/${SERVICE}`, ...own]);
      await until(dev, () => dev.output().includes('Press Ctrl+C to exit'), STARTS_MS);

      const gateway = `http://127.0.0.1:${ports[`${RELEASE}-gateway`]}`;
      const demo = (await toolbox({ kube }, 'demo')) as { account_id: string };
      const { token } = (await toolbox({ kube }, 'tokens', 'issue', '--account', demo.account_id, '--name', 'check')) as { token: string };
      await until(dev, () => exportLastMonth(gateway, token), SYNCED_MS);
      const institution = async (): Promise<string> => (await call(`${gateway}/api/v2/accounts/institutions/`, { token })).text;
      insist(!(await institution()).includes(NAME), 'the change is there before it was made');
      const before = await shapeOf(kube);

      const editedMs = Date.now();
      await checkout.edit(SOURCE, PLACE, PLACE.replace('institution,', `institution, name: '${NAME}',`));
      await until(dev, async () => (await institution()).includes(NAME), SYNCED_MS);
      const seconds = ((Date.now() - editedMs) / 1_000).toFixed(1);
      insist((await shapeOf(kube)) === before, `pods or images are others now, although the file was only to be copied:\n${dev.output()}`);
      await checkout.restore(SOURCE);
      await until(dev, async () => !(await institution()).includes(NAME), SYNCED_MS);

      await checkout.edit(PROTO, 'syntax = "proto3";', '// Changed while it ran.\nsyntax = "proto3";');
      const images = await imagesOf(kube);
      await until(dev, async () => (await imagesOf(kube))[SERVICE] !== images[SERVICE], REBUILT_MS);
      await kube.run(['rollout', 'status', `deployment/${RELEASE}-${SERVICE}`, '--timeout', `${REBUILT_MS / 1_000}s`], REBUILT_MS);
      const others = await imagesOf(kube);
      const replaced = services.filter((name) => name !== SERVICE && others[name] !== images[name]);
      insist(replaced.length === 0, `the proto of ${SERVICE} made new images of ${replaced.join(', ')}`);
      await until(dev, () => exportLastMonth(gateway, token), SYNCED_MS);

      const code = await dev.interrupt(STOPS_MS);
      insist(code === 0, `it ended with ${code}:\n${dev.output()}`);
      insist((await deployments(kube)).length === 0, 'Ctrl-C left the installation behind');
      return { note: `served ${seconds} s after it was saved` };
    } finally {
      for (const one of running) await one.interrupt(STOPS_MS);
      await kube.run(['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait']);
      await checkout.remove();
      await rm(state, { recursive: true });
    }
  },
};

async function prepareNamespace({ cluster }: Platform, kube: Kubernetes): Promise<void> {
  await kube.run(['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait']);
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await kube.ready();
  if (cluster.simpleMongodb) await kube.apply(simpleMongodb);
}

/** Returns values for clusters that cannot pull the published servers, and the URL of the object store at its forwarded port. */
function valuesFor(platform: Platform, ports: Readonly<Record<string, number>>): { readonly [name: string]: unknown } {
  const { mongodb, infrastructure } = platform.values() as { mongodb: object; infrastructure: { images: object } };
  const s3 = { publicEndpoint: `http://127.0.0.1:${ports[`${RELEASE}-minio`]}` };
  return { mongodb, infrastructure: { images: infrastructure.images }, s3 };
}

/** Returns the environment for skaffold, with the kubectl and helm of this test on PATH. */
async function environment({ cluster, log }: Platform, engine: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
  const kubectl = cluster.kubectl.includes('/') ? [dirname(cluster.kubectl)] : [];
  const path = [...kubectl, dirname(await provideTool('helm', log)), dirname(process.execPath), process.env['PATH']].join(delimiter);
  return { ...cluster.env, ...engine, PATH: path, SKAFFOLD_UPDATE_CHECK: 'false', SKAFFOLD_INTERACTIVE: 'false' };
}

/** Waits for a condition while the process runs. @throws Error with the output if the process ends or the time is over */
async function until<T>({ early, output }: Running, holds: () => Promise<T | false> | T | false, timeoutMs: number): Promise<void> {
  const waited = waitFor(holds, { timeoutMs }).catch((error: Error) => {
    throw new Error(`${error.message}\n${output().slice(-6_000)}`, { cause: error });
  });
  await Promise.race([waited, early]);
}

function deployments(kube: Kubernetes) {
  return kube.list('deployments', labelOf(...services, 'toolbox'));
}

/** Returns the image of each service. */
async function imagesOf(kube: Kubernetes): Promise<Readonly<Record<string, string>>> {
  const found = (await deployments(kube)).map(({ metadata, spec }) => [
    metadata.labels?.['app.kubernetes.io/component'] ?? '',
    spec.template.spec.containers[0].image as string,
  ]);
  return Object.fromEntries(found) as Readonly<Record<string, string>>;
}

/** Returns a text with every pod, its image and its restart count, for comparisons. */
async function shapeOf(kube: Kubernetes): Promise<string> {
  const pods = await kube.list('pods', labelOf(...services, 'toolbox'));
  const shapes = pods.map(({ metadata, status }) => {
    const [container] = status.containerStatuses as { imageID: string; restartCount: number }[];
    return `${metadata.name} ${container?.imageID} ${container?.restartCount}`;
  });
  return shapes.sort().join('\n');
}
