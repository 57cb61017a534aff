import { createHash } from 'node:crypto';
import { withProgress } from '../log.js';
import { findEngine } from './engine.js';
import type { Instance, Place, Provider } from './provider.js';

/** How a server is run in a container. */
export interface Container<A> {
  /** With a pinned version and digest. */
  readonly image: string;
  readonly port: number;
  readonly command: readonly string[];
  readonly entrypoint?: readonly string[];
  /** Files to create in the container: path and content. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where the image keeps its data; a named volume of the home is mounted there. */
  readonly dataPath?: string;
  /** Settings that depend on the place: the environment, and the address from outside. */
  settings(place: Place): Promise<{ readonly environment: Record<string, string>; readonly address: A }>;
  probe(address: A): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000;

/**
 * Runs a server in a container if a Docker engine answers and has, or can pull, its image. The reaper of testcontainers removes it if the starter is
 * killed.
 */
export function fromDocker<A>(container: Container<A>): Provider<A> {
  return {
    id: 'docker',
    prepare: async ({ env, cache }) => {
      const engine = await findEngine(env);
      const [name = ''] = container.image.split('@');
      await withProgress(cache.log, `getting ${name}`, () => engine.provide(container.image));
      return { description: `${name} in Docker`, start: (place) => startContainer(container, place) };
    },
  };
}

async function startContainer<A>(container: Container<A>, place: Place): Promise<Instance<A>> {
  // Loaded only if there is an engine, since loading takes half a second.
  const { LoopbackContainer, whenItAnswers } = await import('./loopback-container.js');
  const { environment, address } = await container.settings(place);
  const mounts = container.dataPath === undefined ? [] : [{ source: volumeOf(place), target: container.dataPath }];
  const files = Object.entries(container.files ?? {}).map(([target, content]) => ({ target, content }));
  const definition = new LoopbackContainer(container.image)
    .withExposedPorts({ container: container.port, host: place.port })
    .withCommand([...container.command])
    .withEnvironment(environment)
    .withBindMounts(mounts)
    .withCopyContentToContainer(files)
    .withWaitStrategy(whenItAnswers(() => container.probe(address), READY_TIMEOUT_MS));
  const started = await (container.entrypoint ? definition.withEntrypoint([...container.entrypoint]) : definition).start();
  const stop = async (timeout: number): Promise<void> => {
    await started.stop({ timeout });
  };
  return { address, died: new Promise<string>(() => {}), stop: () => stop(10_000), kill: () => stop(0) };
}

/** A volume for each home and server: two homes do not share data, and a second start finds its own data again. */
function volumeOf(place: Place): string {
  return `stechuhr-${createHash('sha256').update(place.folder).digest('hex').slice(0, 12)}`;
}
