import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The operations of this machine's Docker engine that scenarios need. */
export interface DockerEngine {
  /** Returns names and tags of all images. */
  images(): Promise<readonly string[]>;
  /** Returns names of all containers, including stopped ones. */
  containers(): Promise<readonly string[]>;
  volumes(): Promise<readonly string[]>;
  networks(): Promise<readonly string[]>;
  /** Adds a name to an image. */
  tag(image: string, name: string, tag: string): Promise<void>;
  removeVolume(name: string): Promise<void>;
}

/** Returns the engine of `DOCKER_HOST`, otherwise the one at the default socket; undefined if it does not answer. */
export async function dockerEngine(): Promise<DockerEngine | undefined> {
  const { protocol, pathname, hostname, port } = new URL(process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock');
  const target = protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port: Number(port || 2375) };
  const ask = async <T>(method: string, path: string): Promise<T> => {
    const asked = request({ ...target, method, path, agent: false, timeout: 60_000 });
    asked.once('timeout', () => asked.destroy(new Error('the Docker engine does not answer')));
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage];
    const body = await text(answer);
    if ((answer.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${body}`);
    return (body.startsWith('{') || body.startsWith('[') ? JSON.parse(body) : body) as T;
  };
  const answers = await ask('GET', '/_ping').catch(() => undefined);
  if (answers === undefined) return undefined;
  return {
    images: async () => (await ask<{ RepoTags: string[] | null }[]>('GET', '/images/json')).flatMap(({ RepoTags }) => RepoTags ?? []),
    containers: async () => (await ask<{ Names: string[] }[]>('GET', '/containers/json?all=1')).flatMap(({ Names }) => Names),
    volumes: async () => ((await ask<{ Volumes: { Name: string }[] | null }>('GET', '/volumes')).Volumes ?? []).map(({ Name }) => Name),
    networks: async () => (await ask<{ Name: string }[]>('GET', '/networks')).map(({ Name }) => Name),
    tag: (image, name, tag) => ask('POST', `/images/${image}/tag?repo=${name}&tag=${tag}`),
    removeVolume: (name) => ask('DELETE', `/volumes/${name}`),
  };
}
