import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, prefetch, runCommand, type Log } from '@stechuhr/local-infra';
import { ROOT } from '../root.js';
import { buildArguments, type ClusterProvider, type ImageBuild } from './provider.js';

const TOOLS = join(ROOT, '../shared/tools/cluster');

/** What the chart calls a server, and what the tools call it. */
const SERVERS: Readonly<Record<string, string>> = { mongodb: 'mongo', nats: 'nats', redis: 'redis', minio: 'minio' };

const MINUTES = 60_000;

/** Stand-ins for the base images, made on this machine: they cannot have the digests that the Dockerfile names. */
const NODE = 'node:24-bookworm-slim';
const RUNTIME = 'gcr.io/distroless/nodejs24-debian12:nonroot';

/**
 * A node that the tools beside the checkout start on this machine, of programs that lie there; `inUse` when somebody works with it already.
 * Undefined where there are none.
 */
export async function sharedToolsCluster(log: Log, inUse: boolean): Promise<ClusterProvider | undefined> {
  if (!existsSync(join(TOOLS, 'up')) || process.getuid?.() !== 0) return undefined;
  log('starting the cluster of ../shared/tools/cluster');
  const up = (): Promise<string> => runCommand(join(TOOLS, 'up'), [], { timeoutMs: 15 * MINUTES });
  const exports = await up();
  const variable = (name: string): string => new RegExp(`\\b${name}=(\\S+)`).exec(exports)?.[1] ?? '';
  // Its commands find one another's folder by it.
  const env = { ...process.env, KUBECONFIG: variable('KUBECONFIG'), CLUSTER_HOME: variable('CLUSTER_HOME'), PROJECT: ROOT };
  const tool = (name: string, args: readonly string[], minutes = 5): Promise<string> =>
    runCommand(join(TOOLS, name), args, { env, timeoutMs: minutes * MINUTES });
  const kubectl = join(env.CLUSTER_HOME, 'bin/kubectl');
  const has = (image: string): Promise<boolean> => isGood(tool('images/build', ['podman', 'image', 'exists', image]));
  const load = async (images: readonly string[]): Promise<void> => {
    const nodes = await runCommand(kubectl, ['get', 'nodes', '--output', 'jsonpath={.items[*].status.images[*].names}'], { env });
    const missing = images.filter((image) => !nodes.includes(`"${image}"`));
    if (missing.length > 0) await tool('images/load', missing, 10);
  };
  const forwarded: number[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(forwarded.splice(0).map((port) => tool('forward', ['stop', String(port)])));
  };
  return {
    name: `one node of ../shared/tools/cluster (${env.CLUSTER_HOME})`,
    kubectl,
    env,
    has,
    build: async (image) => {
      if (!(await has(RUNTIME))) await tool('images/base', [], 15);
      await tool('images/build', ['--quiet', ...buildArguments(onStandIns(image))], 10);
    },
    load,
    provideServers: async (images) => {
      const wanted = Object.entries(images).map(([server, image]) => ({ server: SERVERS[server] ?? server, image: qualified(image) }));
      const missing: string[] = [];
      for (const { server, image } of wanted) if (!(await has(image))) missing.push(`${server}=${image}`);
      // They are made of what `npm start` runs.
      if (missing.length > 0) await prefetch(log, ['mongodb', 'nats', 'redis', 's3']);
      if (missing.length > 0) await tool('images/servers', missing, 15);
      await load(wanted.map(({ image }) => image));
    },
    // Its API server has no CA for those that it passes requests on to.
    takesMetricsServer: false,
    simpleMongodb: true,
    reach: async (nodePort) => {
      const port = await freePort();
      await tool('forward', [`${port}:${nodePort}`]);
      forwarded.push(port);
      return `http://127.0.0.1:${port}`;
    },
    close,
    ...(inUse
      ? {}
      : {
          renew: async () => {
            await close();
            await tool('down', ['--all']);
            await up();
          },
        }),
  };
}

/** An image with a target is one of the Dockerfile's; others have these below them already. */
function onStandIns(image: ImageBuild): ImageBuild {
  return image.target === undefined ? image : { ...image, args: { ...image.args, NODE_IMAGE: NODE, RUNTIME_IMAGE: RUNTIME } };
}

/** As containerd calls it: `nats:2.12` is docker.io/library/nats:2.12. */
function qualified(image: string): string {
  const [first = ''] = image.split('/');
  if (image.includes('/') && /[.:]|^localhost$/.test(first)) return image;
  return image.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`;
}

function isGood(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
