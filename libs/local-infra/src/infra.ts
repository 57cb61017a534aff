import { cacheFolder } from './environment.js';
import type { Log } from './log.js';
import { mongodb, secantusDb } from './parts/mongodb.js';
import { nats, natsProgramWith } from './parts/nats.js';
import { redis, redisProgram } from './parts/redis.js';
import { s3, type S3Address } from './parts/s3.js';
import { Home } from './process/home.js';
import { choose } from './providers/choose.js';
import type { Part, PartName } from './providers/provider.js';
import { startServer, type Server, type ServerOptions } from './server.js';

/** How to start the servers; everything has a default. */
export interface StartOptions {
  /** Where data, logs and the list of processes are kept: a folder, or an open home. A temporary folder by default. */
  readonly home?: Home | string;
  /** Ignores servers named in the environment, for tests that stop their server or must be its only client. */
  readonly own?: boolean;
  /** Addresses of running servers, by environment variable; they are used even with `own`. */
  readonly running?: Readonly<Record<string, string>>;
  /** Receives messages for the user. */
  readonly log?: Log;
}

/** A single server; stopping it also closes its home. */
export type LoneServer<A> = Server<A>;

/** The servers of a platform. */
export interface Infra {
  readonly mongodbUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly s3: S3Address;
  /** The servers individually, for stopping and restarting them. */
  readonly servers: {
    readonly mongodb: Server<string>;
    readonly nats: Server<string>;
    readonly redis: Server<string>;
    readonly s3: Server<S3Address>;
  };
  /** Stops all of them, except for servers of the environment. */
  stop(): Promise<void>;
}

const PARTS: readonly Part<unknown>[] = [s3, mongodb, nats, redis];

/** Starts MongoDB, NATS, Redis and S3 in parallel; if one fails to start, the others are stopped again. */
export async function startInfra(options: StartOptions = {}): Promise<Infra> {
  const home = await openHome(options);
  const start = <A>(part: Part<A>): Promise<Server<A>> => startServer(part, serverOptions(options, home));
  const started = [start(mongodb), start(nats), start(redis), start(s3)] as const;
  const stop = async (): Promise<void> => {
    const settled = await Promise.allSettled(started);
    await Promise.all(settled.map(async (server) => server.status === 'fulfilled' && (await server.value.stop())));
    if (home !== options.home) await home.close();
  };
  try {
    const [mongo, bus, cache, objects] = await Promise.all(started);
    const servers = { mongodb: mongo, nats: bus, redis: cache, s3: objects };
    return { mongodbUrl: mongo.address, natsUrl: bus.address, redisUrl: cache.address, s3: objects.address, servers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts MongoDB alone. */
export const startMongo = (options?: StartOptions): Promise<LoneServer<string>> => startAlone(mongodb, options);
/** Starts a second implementation of MongoDB with options of its command line; fetched from PyPI. */
export const startSecantusDb = ({ args = [], ...options }: StartOptions & { readonly args?: readonly string[] } = {}): Promise<
  LoneServer<string>
> => startAlone(secantusDb(args), options);
/**
 * Starts NATS alone. With additional configuration lines it is always a process of this machine that is not shared, such as a member of a cluster.
 */
export const startNats = ({ configuration, ...options }: StartOptions & { readonly configuration?: string } = {}): Promise<
  LoneServer<string>
> => startAlone(configuration === undefined ? nats : natsProgramWith(configuration), options);
/**
 * Starts Redis alone. With arguments for `redis-server` it is always a process of this machine that is not shared, such as a node of a cluster or a
 * sentinel.
 */
export const startRedis = ({ args, ...options }: StartOptions & { readonly args?: readonly string[] } = {}): Promise<LoneServer<string>> =>
  startAlone(args === undefined ? redis : redisProgram(args), options);
/** Starts an S3 store alone. */
export const startS3 = (options?: StartOptions): Promise<LoneServer<S3Address>> => startAlone(s3, options);

async function startAlone<A>(part: Part<A>, options: StartOptions = {}): Promise<LoneServer<A>> {
  const home = await openHome(options);
  const close = async (): Promise<void> => {
    if (home !== options.home) await home.close();
  };
  try {
    const server = await startServer(part, serverOptions(options, home));
    return { ...server, stop: () => server.stop().then(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Downloads in parallel what this machine needs for some of the servers, so that a later start does not wait for it. */
export async function prefetch(log: Log, wanted: readonly PartName[]): Promise<void> {
  const surroundings = { env: process.env, cache: { folder: cacheFolder(process.env), log } };
  await Promise.all(PARTS.filter(({ name }) => wanted.includes(name)).map((part) => choose(part, surroundings)));
}

async function openHome({ home, log }: StartOptions): Promise<Home> {
  if (home instanceof Home) return home;
  return home === undefined ? Home.temporary() : Home.open(home, log);
}

function serverOptions({ own, running, log = () => {} }: StartOptions, home: Home): ServerOptions {
  const { MONGODB_URL, NATS_URL, REDIS_URL, S3_ENDPOINT, ...rest } = process.env;
  return { home, env: { ...(own === true ? rest : process.env), ...running }, log, cache: { folder: cacheFolder(process.env), log } };
}
