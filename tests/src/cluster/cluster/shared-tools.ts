import { join } from 'node:path';
import { freePort, runCommand, type Log } from '@stechuhr/local-infra';
import type { ClusterProvider } from './provider.js';
import { hasTools, qualified, toolsAt } from './tools.js';

/**
 * Returns a single-node cluster that the tools next to the checkout start on this machine; with `inUse` it already runs. Undefined if there
 * are no such tools.
 */
export async function sharedToolsCluster(log: Log, inUse: boolean): Promise<ClusterProvider | undefined> {
  if (!hasTools()) return undefined;
  log('starting the cluster of ../shared/tools/cluster');
  const up = (): Promise<string> => toolsAt(process.env).run('up', [], 15);
  // It gives its parts a limited time each, which a busy machine may exceed. The second attempt leaves those alone that are there.
  const exports = await up().catch((caught: unknown) => {
    log(`trying once more: ${caught instanceof Error ? caught.message : String(caught)}`);
    return up();
  });
  const variable = (name: string): string => new RegExp(`\\b${name}=(\\S+)`).exec(exports)?.[1] ?? '';
  const { env, run, has, build, makeServers, makeProgram, startEngine } = toolsAt({
    ...process.env,
    KUBECONFIG: variable('KUBECONFIG'),
    CLUSTER_HOME: variable('CLUSTER_HOME'),
  });
  const kubectl = join(variable('CLUSTER_HOME'), 'bin/kubectl');
  const load = async (images: readonly string[]): Promise<void> => {
    const nodes = await runCommand(kubectl, ['get', 'nodes', '--output', 'jsonpath={.items[*].status.images[*].names}'], { env });
    const missing = images.filter((image) => !nodes.includes(`"${image}"`));
    if (missing.length > 0) await run('images/load', missing, 10);
  };
  const forwarded: number[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(forwarded.splice(0).map((port) => run('forward', ['stop', String(port)])));
  };
  return {
    name: `one node of ../shared/tools/cluster (${variable('CLUSTER_HOME')})`,
    kubectl,
    env,
    has,
    build,
    load,
    provideServers: async (images) => {
      const made = await makeServers(log, images);
      if (made.length > 0) await run('images/load', made, 10);
      await load(Object.values(images).map(qualified));
    },
    provideProgram: async (image, tool, path) => {
      await makeProgram(log, { image, tool, path });
      await load([qualified(image)]);
    },
    // Its API server has no CA, so extension servers cannot trust the identities that it forwards.
    namesCallers: false,
    simpleMongodb: true,
    reach: async (nodePort) => {
      const port = await freePort();
      await run('forward', [`${port}:${nodePort}`]);
      forwarded.push(port);
      return `http://127.0.0.1:${port}`;
    },
    close,
    skaffoldEngine: startEngine,
    ...(inUse
      ? {}
      : {
          renew: async () => {
            await close();
            await run('down', ['--all']);
            await run('up', [], 15);
          },
        }),
  };
}
