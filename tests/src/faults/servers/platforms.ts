import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startPlatform, topology, type Platform } from '@stechuhr/local';
import { Home, type Infra } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import { openBalancer, type Balancer } from './balancer.js';
import { openNames, type Names } from './names.js';

/** The folder of this checkout. */
export const CHECKOUT = join(import.meta.dirname, '../../../..');

/** How long a replica continues to serve after it was removed from its name (`preStop` in helm/common; names are not cached here). */
const PRE_STOP_MS = 5_000;

type Variables = Readonly<Record<string, string>>;

/** One platform, or several as replicas, each with one process of every service. */
export interface Running {
  readonly platforms: readonly Platform[];
  /** Base URL for clients. */
  readonly baseUrl: string;
  /** Environment with the addresses of services for CLI commands, if they differ from `run.json`. */
  readonly ofCommands: Variables;
  /** Replaces a service like a Deployment: removes it from its name, sends SIGTERM, restarts it, and adds it again once it is ready. */
  replace(service: string, replica: number): Promise<void>;
}

interface Plan {
  readonly infra: Infra;
  /** State folder of the first platform. */
  readonly home: Home;
  /** Settings of all services. */
  readonly env: Variables;
  settingsOf(service: string): Variables;
  /** Collects cleanup functions, which are called in reverse order. */
  readonly ends: (() => Promise<unknown>)[];
}

/** Starts one platform per checkout, on the same servers. With two platforms, services are found by names. */
export async function startPlatforms(checkouts: readonly string[], plan: Plan): Promise<Running> {
  const { infra, home, env, ends } = plan;
  const names = checkouts.length === 1 ? undefined : await openNames(home.folder('names'));
  const platforms: Platform[] = [];
  for (const [replica, checkout] of checkouts.entries()) {
    const starters = await startersOf(checkout);
    const place = replica === 0 ? home : await starters.Home.temporary();
    if (place !== home) ends.push(() => place.close());
    const own = topology.map(({ name }) => [name, together(plan.settingsOf(name), names?.variablesOf(name, replica) ?? {})] as const);
    const platform = await onServers(infra, () => starters.startPlatform({ home: place, env, serviceEnv: Object.fromEntries(own) }));
    ends.push(() => platform.stop());
    platforms.push(platform);
  }
  const addresses = platforms.map(({ run }) => new URL(run.base_url).host);
  if (names === undefined) {
    const replace = (): Promise<void> => Promise.reject(new Error('There are no replicas.'));
    return { platforms, baseUrl: `http://${addresses.join()}/api/v2`, ofCommands: {}, replace };
  }
  const balancer = await openBalancer(addresses);
  ends.push(() => balancer.stop());
  return {
    platforms,
    baseUrl: `http://${balancer.address}/api/v2`,
    ofCommands: names.ofCommands,
    async replace(service, replica) {
      const platform = platforms[replica];
      if (platform !== undefined) await replaced(platform, { service, replica, names, balancer });
    },
  };
}

interface Replaced {
  readonly service: string;
  readonly replica: number;
  readonly names: Names;
  readonly balancer: Balancer;
}

async function replaced(platform: Platform, { service, replica, names, balancer }: Replaced): Promise<void> {
  const gateway = new URL(platform.run.base_url).host;
  const admin = platform.run.services[service]?.admin ?? '';
  names.leave(service, replica);
  if (service === 'gateway') balancer.leave(gateway);
  await pause(PRE_STOP_MS);
  await platform.service(service).restart();
  await waitFor(async () => (await fetch(`http://${admin}/readyz`)).ok);
  names.join(service, replica);
  if (service === 'gateway') await balancer.join(gateway);
}

interface Starters {
  readonly startPlatform: typeof startPlatform;
  readonly Home: typeof Home;
}

/** Loads the functions of a checkout that start its platform. */
async function startersOf(checkout: string): Promise<Starters> {
  if (checkout === CHECKOUT) return { startPlatform, Home };
  const load = (part: string): Promise<unknown> => import(pathToFileURL(join(checkout, part, 'dist/index.js')).href);
  const [local, infra] = await Promise.all([load('deploy/local'), load('libs/local-infra')]);
  return { ...(local as Pick<Starters, 'startPlatform'>), ...(infra as Pick<Starters, 'Home'>) };
}

/** Merges settings and concatenates their `NODE_OPTIONS`, which preload modules. */
export function together(...settings: readonly Variables[]): Variables {
  const NODE_OPTIONS = settings.flatMap((one) => one['NODE_OPTIONS'] ?? []).join(' ');
  return { ...Object.assign({}, ...settings), NODE_OPTIONS };
}

/** Runs a starter with the addresses of running servers in the environment. */
async function onServers<T>(infra: Infra, start: () => Promise<T>): Promise<T> {
  const { endpoint, accessKey, secretKey, bucket } = infra.s3;
  const servers = {
    MONGODB_URL: infra.mongodbUrl,
    NATS_URL: infra.natsUrl,
    REDIS_URL: infra.redisUrl,
    ...{ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
  };
  const before = Object.keys(servers).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, servers);
  try {
    return await start();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}
