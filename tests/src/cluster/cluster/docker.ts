import { runCommand } from '@stechuhr/local-infra';
import { buildArguments, type ClusterProvider } from './provider.js';

/** How images that Docker has come to the nodes. */
type Bring = (images: readonly string[]) => Promise<unknown>;

const MINUTES = 60_000;

/** A cluster whose nodes take images of this machine's Docker engine. Its nodes pull everything else by themselves. */
export function dockerCluster(name: string, env: NodeJS.ProcessEnv, bring: Bring): ClusterProvider {
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

/** A cluster of kind: the one of the current context, else one that is made and stays. */
export function kindCluster(env: NodeJS.ProcessEnv, cluster: string): ClusterProvider {
  return dockerCluster(`kind, cluster ${cluster}`, env, (images) =>
    runCommand('kind', ['load', 'docker-image', '--name', cluster, ...images], { env }),
  );
}

/** The same of k3d. */
export function k3dCluster(env: NodeJS.ProcessEnv, cluster: string): ClusterProvider {
  return dockerCluster(`k3d, cluster ${cluster}`, env, (images) =>
    runCommand('k3d', ['image', 'import', '--cluster', cluster, ...images], { env }),
  );
}

/** Any other cluster: its nodes run what this machine's engine has, as those of Docker Desktop do. */
export function plainCluster(env: NodeJS.ProcessEnv, context: string): ClusterProvider {
  return dockerCluster(`context ${context}`, env, () => Promise.resolve());
}
