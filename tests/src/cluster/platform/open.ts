import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withProgress, type Log } from '@stechuhr/local-infra';
import { loopbackCertificate, waitFor } from '@stechuhr/testing';
import { parse } from 'yaml';
import type { ClusterProvider } from '../cluster/provider.js';
import type { Images } from '../images/current.js';
import { buildBrokenImage, buildNextImages } from '../images/next.js';
import { ROOT } from '../root.js';
import { diagnose } from './diagnosis.js';
import { Kubernetes } from './kubernetes.js';
import { services } from './pods.js';
import type { Platform } from './platform.js';
import { Release, RELEASE } from './release.js';
import { AUTHORITIES, valuesOf } from './values.js';

/** The namespace of everything that the test creates. Leftovers of an earlier run are removed first. */
const NAMESPACE = 'stechuhr-check';

/** Services of the release that are reachable from this machine, with their ports. */
const REACHED = { gateway: 8080, minio: 9000 } as const;

/** How long a pod may take from its creation to its first response on a busy machine. */
const STARTS_MS = 180_000;

/** How a platform is opened. */
interface OpenOptions {
  /** Whether the installation of an earlier run is kept and used. */
  readonly reuse: boolean;
  readonly log: Log;
}

/** Creates a namespace with the strictest pod security level, node ports, and an idle pod. */
export async function openPlatform(cluster: ClusterProvider, images: Images, { reuse, log }: OpenOptions): Promise<Platform> {
  const kube = new Kubernetes(cluster, NAMESPACE);
  if (!reuse) await removed(kube);
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } });
  await kube.ready();
  await kube.apply(
    ...Object.entries(REACHED).map(([name, port]) => nodePort(name, port)),
    nodePort('idle', 8080),
    idlePod(images['cli'] ?? ''),
  );
  const chart = parse(readFileSync(join(ROOT, 'helm/stechuhr/values.yaml'), 'utf8')) as {
    infrastructure: { images: Record<string, string> };
  };
  if (cluster.simpleMongodb) await kube.apply(simpleMongodb);
  await kube.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: AUTHORITIES },
    stringData: { 'ca.crt': loopbackCertificate('authority of the servers').cert },
  });
  // Images are named without digests, because locally built ones cannot have the published digest.
  const servers = Object.entries(chart.infrastructure.images).map(([name, image]) => [
    name,
    cluster.simpleMongodb ? image.replace(/@.*/, '') : image,
  ]);
  const serverImages = Object.fromEntries(servers) as Images;
  await cluster.provideServers(serverImages);
  const [gateway, objectStore, idle] = await Promise.all([
    reach(cluster, kube, 'gateway'),
    reach(cluster, kube, 'minio'),
    reach(cluster, kube, 'idle'),
  ]);
  const release = await Release.open(cluster, NAMESPACE, log);
  await answers(kube, idle);
  const mongodbSecret = cluster.simpleMongodb ? simpleMongodb.metadata.name : '';
  const brought = async (building: Promise<Images>): Promise<Images> => {
    const built = await building;
    await withProgress(log, 'bringing the images to the nodes', () => cluster.load(Object.values(built)));
    return built;
  };
  return {
    ...{ cluster, kube, release, images, gateway, objectStore, idle, log, reused: reuse },
    values: (more = {}, other = images) => valuesOf({ images: other, serverImages, publicEndpoint: objectStore, mongodbSecret, more }),
    nextImages: () => brought(buildNextImages(cluster, images, log)),
    brokenImage: () => brought(buildBrokenImage(cluster, images, log)),
    vacate: () => removed(kube),
    ...{ token: '', account: '', institution: '' },
  };
}

/**
 * Removes the namespace. Workloads are deleted before it: while a gateway drains downloads, Kubernetes checks only every five minutes
 * whether the namespace is empty.
 */
async function removed(kube: Kubernetes): Promise<void> {
  await kube.run(['delete', 'deployment,statefulset,job', '--all', '--ignore-not-found', '--cascade=foreground', '--wait=false']);
  await kube.run(['delete', 'pod', '--all', '--ignore-not-found', '--grace-period=1', '--wait']);
  await kube.run(['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait']);
}

/** Waits for the idle pod. @throws Error with information for a diagnosis */
async function answers(kube: Kubernetes, idle: string): Promise<void> {
  try {
    await kube.run(['wait', '--for=condition=Ready', 'pod/idle', `--timeout=${STARTS_MS / 1_000}s`]);
    await waitFor(async () => (await fetch(idle)).ok, { timeoutMs: STARTS_MS });
  } catch (error) {
    throw new Error(`an idle pod that contains only Node does not answer: ${(error as Error).message}\n${await diagnose({ kube })}`, {
      cause: error,
    });
  }
}

/** A secret with connection strings for a server without users and replica sets. */
export const simpleMongodb = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'simple-mongodb' },
  stringData: Object.fromEntries(services.map((name) => [name, `mongodb://${RELEASE}-mongodb:27017/`])),
};

async function reach(cluster: ClusterProvider, kube: Kubernetes, name: string): Promise<string> {
  const service = await kube.get('service', `entry-${name}`);
  return cluster.reach((service['spec'] as { ports: { nodePort: number }[] }).ports[0]?.nodePort ?? 0);
}

function nodePort(component: string, port: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `entry-${component}` },
    spec: {
      type: 'NodePort',
      selector: { 'app.kubernetes.io/instance': component === 'idle' ? 'idle' : RELEASE, 'app.kubernetes.io/component': component },
      ports: [{ port, targetPort: port }],
    },
  };
}

function idlePod(image: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'idle', labels: { 'app.kubernetes.io/instance': 'idle', 'app.kubernetes.io/component': 'idle' } },
    spec: {
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'idle',
          image,
          imagePullPolicy: 'IfNotPresent',
          args: [
            '-e',
            "process.on('SIGTERM', () => process.exit()); require('node:http').createServer((_, answer) => answer.end()).listen(8080)",
          ],
          resources: { requests: { cpu: '10m', memory: '32Mi' } },
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  };
}
