import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withProgress, type Log } from '@stechuhr/local-infra';
import { hasTools, qualified, toolsAt } from '../cluster/cluster/tools.js';
import { buildImages } from '../cluster/images/current.js';
import { dockerEngine, type DockerEngine } from './engine.js';

/** An engine without access to registries, with images that were built on this machine. */
export interface ToolsEngine {
  readonly engine: DockerEngine;
  /** Adds the images of the servers to the engine, or removes them, so that it tries to pull them in vain. */
  haveServers(has: boolean): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the engine of ../shared/tools/cluster with the platform's images and stand-ins for the images of the servers, and sets
 * `DOCKER_HOST`. Undefined if there are no tools.
 *
 * @param servers by their names in the chart, with digests
 */
export async function toolsEngine(log: Log, servers: Readonly<Record<string, string>>): Promise<ToolsEngine | undefined> {
  if (!hasTools()) return undefined;
  const home = process.env['CLUSTER_HOME'] ?? join(tmpdir(), 'stechuhr-cluster');
  const tools = toolsAt({ ...process.env, CLUSTER_HOME: home });
  const start = async (): Promise<DockerEngine> => {
    Object.assign(process.env, await tools.startEngine());
    const engine = await dockerEngine();
    if (engine === undefined) throw new Error(`the engine does not answer at ${process.env['DOCKER_HOST']}`);
    return engine;
  };
  log('starting the engine of ../shared/tools/cluster');
  const engine = await start();
  const tagged = Object.fromEntries(Object.entries(servers).map(([name, image]) => [name, image.replace(/@.*/, '')]));
  await tools.makeServers(log, tagged);
  const programs = await buildImages(tools, log);
  const there = await engine.images();
  const missing = [...Object.values(tagged), ...Object.values(programs)].filter((image) => !there.includes(familiar(image)));
  if (missing.length > 0) {
    await withProgress(log, 'bringing the images to the engine', () => tools.run('engine', missing.map(qualified), 10));
  }
  for (const [program, image] of Object.entries(programs)) await engine.tag(familiar(image), `stechuhr/${program}`, 'latest');
  return {
    engine,
    haveServers: async (has) => {
      await tools.run('engine', ['stop']);
      for (const file of globSync(join(home, 'docker/root/image/*/repositories.json'))) nameByDigest(file, Object.values(servers), has);
      await start();
    },
    stop: async () => void (await tools.run('engine', ['stop'])),
  };
}

/**
 * Assigns the published digests to locally built images, which could not have them otherwise. This edits the engine's list of names, which
 * is a file, while the engine is stopped.
 */
function nameByDigest(file: string, images: readonly string[], has: boolean): void {
  const { Repositories: names } = JSON.parse(readFileSync(file, 'utf8')) as { Repositories: Record<string, Record<string, string>> };
  for (const image of images) {
    const [tagged = '', digest] = image.split('@');
    const name = tagged.slice(0, tagged.lastIndexOf(':'));
    const { [`${name}@${digest}`]: _old, ...others } = names[name] ?? {};
    const id = others[tagged];
    if (id === undefined) throw new Error(`the engine has no ${tagged}`);
    names[name] = has ? { ...others, [`${name}@${digest}`]: id } : others;
  }
  writeFileSync(file, JSON.stringify({ Repositories: names }));
}

/** Returns the short image name that Docker uses: docker.io/library/nats:2.12 becomes `nats:2.12`. */
function familiar(image: string): string {
  return image.replace(/^docker\.io\/(library\/)?/, '');
}
