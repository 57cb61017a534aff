import { z } from 'zod';

interface Host {
  readonly host: string;
  readonly port: number;
}

/** The address of Redis, and the user. */
export interface RedisAddress {
  /** One server, a cluster (`hosts` are any of its nodes), or sentinels that know the server. */
  readonly topology: 'server' | 'cluster' | 'sentinel';
  readonly tls: boolean;
  readonly hosts: readonly [Host, ...Host[]];
  /** A user of the ACL; without one, the password is that of the default user. */
  readonly username?: string;
  readonly password?: string;
  /** The number of the database; a cluster only has database 0. */
  readonly db: number;
  /** The name of the server in the configuration of the sentinels. */
  readonly master?: string;
  /** Sentinels have their own users. */
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
}

const PORTS = { server: 6379, cluster: 6379, sentinel: 26_379 } as const;
const URL_FORM = /^redis(s?)(?:\+(cluster|sentinel))?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^@/?]+)(?:\/([^/?]*))?(?:\?(.*))?$/;
const HOST_FORM = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;

/**
 * Reads a URL:
 *
 * - `redis://[user:password@]host[:6379][/db]`
 * - `redis+cluster://[user:password@]host[:6379],…`
 * - `redis+sentinel://[user:password@]host[:26379],…/master[?db=0&sentinel_username=…&sentinel_password=…]`
 *
 * With `rediss` instead of `redis` all connections use TLS. Users and passwords are percent-encoded.
 *
 * @throws Error with what is wrong; it contains no part of the URL
 */
export function parseRedisUrl(url: string): RedisAddress {
  const [, tls, variant, username, password, places = '', path, query] = URL_FORM.exec(url) ?? fail(FORMS);
  const topology = (variant ?? 'server') as RedisAddress['topology'];
  const [first = '', ...others] = places.split(',');
  const port = PORTS[topology];
  if (topology === 'server' && others.length > 0) fail('names several servers, which needs redis+cluster:// or redis+sentinel://');
  const settings = new URLSearchParams(query);
  const { db, master } =
    topology === 'sentinel' ? { db: settings.get('db'), master: path || fail(NO_MASTER) } : { db: path, master: undefined };
  return {
    topology,
    tls: tls === 's',
    hosts: [hostOf(first, port), ...others.map((place) => hostOf(place, port))],
    db: databaseOf(topology, db ?? ''),
    ...given({
      username: decoded(username),
      password: decoded(password),
      master: decoded(master),
      sentinelUsername: settings.get('sentinel_username'),
      sentinelPassword: settings.get('sentinel_password'),
    }),
  };
}

/** The environment variable of a service that needs Redis: a URL that {@link parseRedisUrl} accepts. */
export const redisVariable = z.string().superRefine((url, context) => {
  try {
    parseRedisUrl(url);
  } catch (caught) {
    context.addIssue({ code: 'custom', message: (caught as Error).message });
  }
});

const FORMS = 'must be redis://host:port, redis+cluster://host:port,… or redis+sentinel://host:port,…/name (rediss with TLS)';

const NO_MASTER = 'has to name the server that the sentinels watch: redis+sentinel://…/name';

function fail(message: string): never {
  throw new Error(message);
}

function databaseOf(topology: RedisAddress['topology'], db: string): number {
  if (!/^\d{0,4}$/.test(db)) fail('has a database that is not a number');
  if (topology === 'cluster' && Number(db) !== 0) fail('names a database, and a cluster has only one');
  return Number(db);
}

function hostOf(place: string, defaultPort: number): Host {
  const [, bracketed, plain, port] = HOST_FORM.exec(place) ?? fail('has a host that cannot be read: host or host:port, by comma');
  return { host: bracketed ?? plain ?? '', port: Number(port ?? defaultPort) };
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return fail('has a user, password or name that is not percent-encoded');
  }
}

/** Removes missing and empty values. */
function given<K extends string>(values: Readonly<Record<K, string | null | undefined>>): { [key in K]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as { [key in K]?: string };
}
