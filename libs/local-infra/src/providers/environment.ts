import { once } from 'node:events';
import { connect } from 'node:net';
import { waitUntil } from '../process/wait-until.js';
import type { Provider } from './provider.js';

/** Generous, because the server may be starting at the same time. */
const REACH_MS = 10_000;
const CONNECT_MS = 2_000;
/** Default ports of URL schemes. */
const PORTS: Readonly<Record<string, number>> = {
  mongodb: 27017,
  nats: 4222,
  tls: 4222,
  redis: 6379,
  rediss: 6379,
  'redis+cluster': 6379,
  'rediss+cluster': 6379,
  'redis+sentinel': 26379,
  'rediss+sentinel': 26379,
  http: 80,
  https: 443,
};

/** A server named in the environment: it is used unchanged and never stopped. Starting rejects if nothing listens there within ten seconds. */
export function fromEnvironment<A>(
  variable: string,
  read: (env: NodeJS.ProcessEnv, value: string) => A,
  reachMs: number = REACH_MS,
): Provider<A> {
  return {
    id: 'environment',
    prepare: async ({ env }) => {
      const value = env[variable];
      if (!value) throw new Error(`no ${variable}`);
      const address = read(env, value);
      const notOurs = async (): Promise<void> => {
        throw new Error(`the server of ${variable} was not started here, so it cannot be stopped here`);
      };
      return {
        description: `the server of ${variable}`,
        start: async () => {
          await reach(variable, value, reachMs);
          return { address, died: new Promise<string>(() => {}), stop: async () => {}, kill: notOurs };
        },
      };
    },
  };
}

/** Resolves when one of the hosts of a URL accepts a connection. What runs there is checked by the services. */
async function reach(variable: string, url: string, timeoutMs: number): Promise<void> {
  const targets = hostsOf(url);
  if (targets.length === 0) return;
  try {
    await waitUntil(() => Promise.any(targets.map(connectTo)), { timeoutMs, intervalMs: 200 });
  } catch {
    const hosts = targets.map(({ host, port }) => `${host}:${port}`).join(', ');
    throw new Error(
      `${variable} names ${hosts}, where no server accepts a connection. Start it, correct the address, or unset ${variable}.`,
    );
  }
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** The hosts of a URL. MongoDB, NATS and Redis may have several; `mongodb+srv` has none, since its hosts are known to DNS only. */
function hostsOf(url: string): readonly Target[] {
  const scheme = url.slice(0, url.indexOf('://'));
  if (scheme === 'mongodb+srv') return [];
  return url.split(',').flatMap((each) => {
    const authority = each.replace(/^[a-z+]+:\/\//, '').replace(/[/?#].*$/, '');
    const [, bracketed, plain, port = PORTS[scheme]] = /^(?:.*@)?(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(authority) ?? [];
    const host = bracketed ?? plain;
    return host === undefined || port === undefined ? [] : [{ host, port: Number(port) }];
  });
}

async function connectTo(target: Target): Promise<void> {
  const socket = connect(target);
  try {
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('no answer')));
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
