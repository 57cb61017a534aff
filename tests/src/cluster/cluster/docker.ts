import { runCommand } from '@stechuhr/local-infra';
import { buildArguments, type ClusterProvider } from './provider.js';

/** Copies images of the Docker engine to the nodes. */
type CopyToNodes = (images: readonly string[]) => Promise<unknown>;

const MINUTES = 60_000;

/** Returns a cluster to whose nodes images of this machine's Docker engine are copied. The nodes pull all other images themselves. */
export function dockerCluster(name: string, env: NodeJS.ProcessEnv, bring: CopyToNodes): ClusterProvider {
  const docker = (args: readonly string[], minutes = 1): Promise<string> =>
    runCommand('docker', args, { env, timeoutMs: minutes * MINUTES });
  return {
    name,
    kubectl: 'kubectl',
    env,
    has: (image) =>
      docker(['image', 'inspect', image]).then(
        () => true,
        () => false,
      ),
    build: async (image) => void (await docker(['buildx', 'build', '--load', '--quiet', ...buildArguments(image)], 15)),
    load: async (images) => void (await bring(images)),
    provideServers: () => Promise.resolve(),
    provideProgram: () => Promise.resolve(),
    namesCallers: true,
    simpleMongodb: false,
    reach: async (nodePort) => {
      const address = '{.items[0].status.addresses[?(@.type=="InternalIP")].address}';
      const host = await runCommand('kubectl', ['get', 'nodes', '--output', `jsonpath=${address}`], { env });
      return `http://${host.trim()}:${nodePort}`;
    },
    close: () => Promise.resolve(),
  };
}

/** Returns a kind cluster: the one of the current context, otherwise a new one that is kept. */
export function kindCluster(env: NodeJS.ProcessEnv, cluster: string): ClusterProvider {
  return dockerCluster(`kind, cluster ${cluster}`, env, (images) =>
    runCommand('kind', ['load', 'docker-image', '--name', cluster, ...images], { env }),
  );
}

/** Returns a k3d cluster: the one of the current context, otherwise a new one that is kept. */
export function k3dCluster(env: NodeJS.ProcessEnv, cluster: string): ClusterProvider {
  return dockerCluster(`k3d, cluster ${cluster}`, env, (images) =>
    runCommand('k3d', ['image', 'import', '--cluster', cluster, ...images], { env }),
  );
}

/** Returns any other cluster whose nodes can use the images of this machine's engine directly, like Docker Desktop. */
export function plainCluster(env: NodeJS.ProcessEnv, context: string): ClusterProvider {
  return dockerCluster(`context ${context}`, env, () => Promise.resolve());
}
