import { createHash } from 'node:crypto';
import { withProgress } from '../log.js';
import { findEngine } from './engine.js';
import type { Instance, Place, Provider } from './provider.js';

/** How a server runs in a container. */
export interface Container<A> {
  /** Pinned by version and digest. */
  readonly image: string;
  readonly port: number;
  readonly command: readonly string[];
  readonly entrypoint?: readonly string[];
  /** Files to put there: path and content. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where the image keeps its data: a named volume of the home is mounted there. */
  readonly dataPath?: string;
  /** What differs from place to place: its environment, and its address from outside. */
  settings(place: Place): Promise<{ readonly environment: Record<string, string>; readonly address: A }>;
  probe(address: A): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000;

/** A container, where a Docker engine answers and has its image, or gets it. testcontainers' own reaper removes it when the starter is killed. */
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
  // Loaded only where there is an engine: it takes half a second.
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

/** A volume for each home and part: two homes keep their data apart, a second start finds its own. */
function volumeOf(place: Place): string {
  return `stechuhr-${createHash('sha256').update(place.folder).digest('hex').slice(0, 12)}`;
}
