import { runCommand, type Log } from '@stechuhr/local-infra';
import { k3dCluster, kindCluster, plainCluster } from './docker.js';
import type { ClusterProvider } from './provider.js';
import { sharedToolsCluster } from './shared-tools.js';

/** Name of clusters that this test creates. */
const NAME = 'stechuhr-check';

/** Returns the cluster that `KUBECONFIG` names, otherwise one that can be created on this machine. Undefined if that is not possible. */
export async function findCluster(log: Log): Promise<ClusterProvider | undefined> {
  const { KUBECONFIG, CLUSTER_HOME } = process.env;
  const isOfTools = CLUSTER_HOME !== undefined && KUBECONFIG?.startsWith(`${CLUSTER_HOME}/`) === true;
  if (KUBECONFIG !== undefined && !isOfTools) return clusterOfContext(process.env);
  return (await sharedToolsCluster(log, isOfTools)) ?? (await createCluster(log));
}

async function clusterOfContext(env: NodeJS.ProcessEnv): Promise<ClusterProvider> {
  const context = (await runCommand('kubectl', ['config', 'current-context'], { env })).trim();
  const [, tool, cluster = ''] = /^(kind|k3d)-(.+)$/.exec(context) ?? [];
  if (tool === 'kind') return kindCluster(env, cluster);
  if (tool === 'k3d') return k3dCluster(env, cluster);
  return plainCluster(env, context);
}

async function createCluster(log: Log): Promise<ClusterProvider | undefined> {
  if (await works('docker', 'info')) {
    if (await works('kind', 'version')) {
      const there = (await runCommand('kind', ['get', 'clusters'])).split('\n').includes(NAME);
      if (!there) log(`creating a kind cluster; kind delete cluster --name ${NAME} removes it`);
      if (!there) await runCommand('kind', ['create', 'cluster', '--name', NAME, '--wait', '3m']);
      await runCommand('kubectl', ['config', 'use-context', `kind-${NAME}`]);
      return kindCluster(process.env, NAME);
    }
    if (await works('k3d', 'version')) {
      const there = await works('k3d', 'cluster', 'get', NAME);
      if (!there) log(`creating a k3d cluster; k3d cluster delete ${NAME} removes it`);
      if (!there) await runCommand('k3d', ['cluster', 'create', NAME, '--wait']);
      await runCommand('kubectl', ['config', 'use-context', `k3d-${NAME}`]);
      return k3dCluster(process.env, NAME);
    }
  }
  return undefined;
}

function works(command: string, ...args: readonly string[]): Promise<boolean> {
  return runCommand(command, args, { timeoutMs: 30_000 }).then(
    () => true,
    () => false,
  );
}
