import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Failure } from './failure.js';

/** The part of the file that `npm start` writes when everything is ready which the CLI needs. */
const runFile = z.object({
  ready: z.literal(true),
  pid: z.int().positive(),
  demo: z.object({ token: z.string() }).nullish(),
  base_url: z.string().optional(),
  services: z.record(z.string(), z.object({ grpc: z.string().nullable(), admin: z.string().optional() })),
  infra: z.object({
    mongodb: z.string(),
    nats: z.string().optional(),
    redis: z.string(),
    s3: z.object({ endpoint: z.string().optional() }).optional(),
  }),
});

type RunFile = z.infer<typeof runFile>;
type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_GATEWAY_DATABASE = 'stechuhr_gateway';
/** `records:50051`, `[::1]:50051` */
const ADDRESS = /^(\[[0-9a-f:.]+\]|[^\s:/]+):\d{1,5}$/i;
const CHECKOUT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Services that have a gRPC server and a store. */
export const servicesWithData = ['records', 'tasks', 'absence-rules', 'reviews', 'daily-reports', 'webhooks'] as const;

type ServiceWithData = (typeof servicesWithData)[number];

/** Finds the running platform: through the environment, otherwise through the `run.json` of `npm start`. Each value is resolved when it is needed. */
export interface Platform {
  /**
   * `host:port` of a service.
   * @throws Failure if it is not configured
   */
  grpcAddress(service: ServiceWithData | 'exports'): string;
  /** @throws Failure if it is not configured */
  natsUrl(): string;
  /**
   * Address of the object store.
   * @throws Failure if it is not configured
   */
  s3Endpoint(): string;
  /**
   * Address of the API.
   * @throws Failure if it is not configured
   */
  baseUrl(): string;
  /**
   * `host:port` of the admin ports, by service.
   * @throws Failure if they are not configured
   */
  adminAddresses(): ReadonlyMap<string, string>;
  /** @throws Failure if they are not configured */
  tokenStores(): TokenStores;
  /**
   * The token that a command acts as: the one given, otherwise that of the environment, otherwise that of the demo.
   * @throws Failure if there is none
   */
  token(given: string | undefined): string;
}

/** Where tokens are stored and cached. */
export interface TokenStores {
  readonly mongodbUrl: string;
  readonly database: string;
  readonly redisUrl: string;
}

export function findPlatform(environment: Environment = process.env): Platform {
  const file = path.join(environment['STECHUHR_HOME'] || path.join(CHECKOUT, '.stechuhr'), 'run.json');
  const lookUp = (variable: string, inRunFile: (run: RunFile) => string | null | undefined): string => {
    const set = environment[variable];
    if (set !== undefined && set !== '') return set;
    const value = inRunFile(readRunFile(file, variable));
    if (value === null || value === undefined) throw new Failure(`${file} does not contain ${variable}. Set ${variable}.`, 1);
    return value;
  };
  return {
    grpcAddress(service) {
      const variable = `${service.toUpperCase().replace('-', '_')}_ADDRESS`;
      const address = lookUp(variable, ({ services }) => services[service]?.grpc);
      if (ADDRESS.test(address)) return address;
      throw new Failure(`${variable} must be host:port, and is "${address}".`, 1);
    },
    tokenStores: () => ({
      mongodbUrl: lookUp('MONGODB_URL', ({ infra }) => infra.mongodb),
      database: environment['GATEWAY_DATABASE'] || environment['MONGODB_DATABASE'] || DEFAULT_GATEWAY_DATABASE,
      redisUrl: lookUp('REDIS_URL', ({ infra }) => infra.redis),
    }),
    natsUrl: () => lookUp('NATS_URL', ({ infra }) => infra.nats),
    s3Endpoint: () => lookUp('S3_ENDPOINT', ({ infra }) => infra.s3?.endpoint),
    baseUrl: () => lookUp('STECHUHR_URL', ({ base_url }) => base_url),
    adminAddresses: () => addressesOf(lookUp('ADMIN_ADDRESSES', ({ services }) => listed(services) || null)),
    token: (given) => given ?? lookUp('STECHUHR_TOKEN', ({ demo }) => demo?.token),
  };
}

function listed(services: RunFile['services']): string {
  return Object.entries(services)
    .flatMap(([name, { admin }]) => (admin === undefined ? [] : [`${name}=${admin}`]))
    .join(',');
}

/** `records=127.0.0.1:9001,gateway=127.0.0.1:9002` */
function addressesOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim().split('='));
  const entries = pairs.map(([name = '', address = '']): [string, string] => [name, address]);
  if (entries.every(([name, address]) => name !== '' && address.includes(':'))) return new Map(entries);
  throw new Failure('ADMIN_ADDRESSES must look like records=127.0.0.1:9001,gateway=127.0.0.1:9002.', 1);
}

function readRunFile(file: string, variable: string): RunFile {
  const advice = `Start it with "npm start" and wait until it is ready, or set ${variable}.`;
  const run = runFile.safeParse(parsed(file, advice));
  if (!run.success) throw new Failure(`The platform is not ready yet, or ${file} is not its run.json.\n${advice}`, 1, run.error);
  if (!isRunning(run.data.pid)) throw new Failure(`The platform of ${file} is no longer running.\n${advice}`, 1);
  return run.data;
}

function parsed(file: string, advice: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (caught) {
    throw new Failure(`The platform is not running: ${file} cannot be read.\n${advice}`, 1, caught);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (caught) {
    // EPERM: the process exists but belongs to another user.
    return caught instanceof Error && 'code' in caught && caught.code === 'EPERM';
  }
}
