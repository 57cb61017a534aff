import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from './fetch/cached.js';
import { withProgress, type Log } from './log.js';
import { freePort } from './process/free-port.js';
import type { Home } from './process/home.js';
import { choose } from './providers/choose.js';
import type { Instance, Part, Recipe } from './providers/provider.js';

/** Where and how to start a server. */
export interface ServerOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly cache: Cache;
  readonly log: Log;
}

/** One of the four servers, running. After `kill` it can be started again at the same address with the same data. */
export interface Server<A = unknown> {
  readonly label: string;
  readonly address: A;
  /** Resolves with a sentence when it ended unexpectedly. After a restart, call it again. */
  died(): Promise<string>;
  stop(): Promise<void>;
  /** Ends it without warning, like a crash. */
  kill(): Promise<void>;
  /** Starts it again after `stop`, `kill` or a crash. */
  restart(): Promise<void>;
}

/** A free port may be taken by another process before the server binds it. */
const PORT_ATTEMPTS = 3;

/** Starts a server in the home with the first provider that works, and prints which one it was and why. */
export async function startServer<A>(part: Part<A>, options: ServerOptions): Promise<Server<A>> {
  const { home, log } = options;
  const folder = home.folder('data', part.name);
  const marker = join(folder, 'provider');
  const { provider, recipe, passedOver } = await choose(part, options, readMarker(marker));
  const began = performance.now();
  const { instance, port } = await withProgress(log, `starting ${part.label}`, () => startOnFreePort(recipe, { home, folder, log }));
  writeFileSync(marker, provider.id);
  log(
    `${part.label}: ${recipe.description}${passedOver.length > 0 ? ` (${passedOver.join('; ')})` : ''}, ready in ${(performance.now() - began).toFixed(0)} ms`,
  );
  let current = instance;
  return {
    label: part.label,
    address: instance.address,
    died: () => current.died,
    stop: () => current.stop(),
    kill: () => current.kill(),
    restart: async () => {
      current = await recipe.start({ home, folder, log, port });
    },
  };
}

async function startOnFreePort<A>(
  recipe: Recipe<A>,
  place: { home: Home; folder: string; log: Log },
): Promise<{ instance: Instance<A>; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return { instance: await recipe.start({ ...place, port }), port };
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || !/in use|EADDRINUSE/i.test(String(error))) throw error;
    }
  }
}

function readMarker(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
