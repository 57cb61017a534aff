import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prefetch, provideTool, runCommand, standInFingerprint, type Log, type ToolName } from '@stechuhr/local-infra';
import { ROOT } from '../root.js';
import { buildArguments, type ClusterProvider, type ImageBuild } from './provider.js';

const TOOLS = join(ROOT, '../shared/tools/cluster');

/** Names of the servers in the chart, with their names in the tools. */
const SERVERS: Readonly<Record<string, string>> = { mongodb: 'mongo', nats: 'nats', redis: 'redis', minio: 'minio' };

const MINUTES = 60_000;

/** Base images built on this machine. They are named without digests, because they cannot have the digests of the Dockerfile. */
const NODE = 'node:24-bookworm-slim';
const RUNTIME = 'gcr.io/distroless/nodejs24-debian12:nonroot';

/** Operations of the tools next to the checkout, for a cluster node and for a Docker engine. */
export interface Tools extends Pick<ClusterProvider, 'env' | 'has' | 'build'> {
  run(name: string, args: readonly string[], minutes?: number): Promise<string>;
  /** Starts the Docker engine and returns the environment for its clients. */
  startEngine(): Promise<NodeJS.ProcessEnv>;
  /**
   * Builds images of the four servers, by their name in the chart, from the programs that `npm start` runs.
   * @returns the images built now; nodes may still have an earlier version of them
   */
  makeServers(log: Log, images: Readonly<Record<string, string>>): Promise<readonly string[]>;
  /** Builds an image from a program that needs no other files. */
  makeProgram(log: Log, image: ProgramImage): Promise<void>;
}

interface ProgramImage {
  readonly image: string;
  readonly tool: ToolName;
  /** The path of the program in the published image. */
  readonly path: string;
}

/** Returns whether the tools exist next to the checkout and can be used, which requires root. */
export function hasTools(): boolean {
  return existsSync(join(TOOLS, 'up')) && process.getuid?.() === 0;
}

/** Returns the tools, using the folder that the environment names. */
export function toolsAt(place: NodeJS.ProcessEnv): Tools {
  // The commands share a folder, which CLUSTER_HOME names.
  const env = { ...place, PROJECT: ROOT };
  const run = (name: string, args: readonly string[], minutes = 5): Promise<string> =>
    runCommand(join(TOOLS, name), args, { env, timeoutMs: minutes * MINUTES });
  const has = (image: string): Promise<boolean> => isGood(run('images/build', ['podman', 'image', 'exists', image]));
  const makeBase = async (): Promise<void> => {
    if (!(await has(RUNTIME))) await run('images/base', [], 15);
  };
  let base: Promise<void> | undefined;
  return {
    ...{ env, run, has },
    build: async (image) => {
      // Once for all images that are built at the same time.
      await (base ??= makeBase().finally(() => (base = undefined)));
      await run('images/build', ['--quiet', ...buildArguments(onStandIns(image))], 10);
    },
    startEngine: async () => {
      const exports = await run('engine', [], 15);
      return Object.fromEntries([...exports.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = '', value]) => [name, value]));
    },
    makeServers: async (log, images) => {
      // The stand-in has the same name as the server that it replaces; this additional name contains its version.
      const standIn = `localhost/mongo-stand-in:${standInFingerprint()}`;
      const missing: (readonly [server: string, image: string])[] = [];
      for (const [server, image] of Object.entries(images)) {
        const isMade = (await has(qualified(image))) && (server !== 'mongodb' || (await has(standIn)));
        if (!isMade) missing.push([server, qualified(image)]);
      }
      if (missing.length === 0) return [];
      await prefetch(log, ['mongodb', 'nats', 'redis', 's3']);
      const named = missing.map(([server, image]) => `${SERVERS[server] ?? server}=${image}`);
      await run('images/servers', named, 15);
      for (const [server, image] of missing) if (server === 'mongodb') await run('images/build', ['podman', 'tag', image, standIn]);
      return missing.map(([, image]) => image);
    },
    makeProgram: async (log, { image, tool, path }) => {
      const name = qualified(image);
      if (await has(name)) return;
      const program = await provideTool(tool, log);
      const context = mkdtempSync(join(tmpdir(), 'stechuhr-program-'));
      try {
        copyFileSync(program, join(context, 'program'));
        writeFileSync(join(context, 'Dockerfile'), `FROM scratch\nCOPY program ${path}\n`);
        await run('images/build', ['--quiet', ...buildArguments({ name, dockerfile: join(context, 'Dockerfile'), context })], 5);
      } finally {
        rmSync(context, { recursive: true });
      }
    },
  };
}

/** Replaces the base images of an image that is built from the Dockerfile; other images are already based on the stand-ins. */
function onStandIns(image: ImageBuild): ImageBuild {
  return image.target === undefined ? image : { ...image, args: { ...image.args, NODE_IMAGE: NODE, RUNTIME_IMAGE: RUNTIME } };
}

/** Returns the full image name as in containerd: `nats:2.12` is docker.io/library/nats:2.12. */
export function qualified(image: string): string {
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
