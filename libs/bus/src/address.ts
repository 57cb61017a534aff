import type { NodeConnectionOptions } from '@nats-io/transport-node';

/** How a process connects. `timeout` limits, in milliseconds, how long a server may take to connect and to answer a request about streams. */
export type LinkOptions = NodeConnectionOptions & { readonly timeout: number };

/** The connection options that every process uses. */
export function connectionOptions(servers: string, name: string, timeout = 5_000): LinkOptions {
  const addresses = addressesOf(servers);
  const { username, password } = credentialsOf(servers);
  return {
    servers: addresses.map((address) => address.replace(/\/\/[^@/]*@/, '//')),
    name,
    // Each user may subscribe to its own inbox only, so that no service can read another's replies.
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password), inboxPrefix: `_INBOX_${username}` }),
    // The client would fall back to plain text if a server does not offer TLS. One such address is enough to require TLS, since the client also
    // connects to members of the cluster that it learns about, whose scheme is unknown.
    ...(addresses.some((address) => address.startsWith('tls://')) && { tls: {} }),
    timeout,
    maxReconnectAttempts: -1,
    // Otherwise the client gives up for good when its user is refused for the second time in its life, also if the server was only too busy to
    // check it in time (`Authentication Timeout`).
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 20_000,
    // Otherwise the client creates two errors with stack traces for each message in advance, which costs more than publishing it.
    noAsyncTraces: true,
  };
}

/** Whether the address contains a user. Without users, the server has no access rights, so that every connection may do everything. */
export function namesUser(servers: string): boolean {
  return credentialsOf(servers).username !== '';
}

/** The address without credentials. */
export function hostsOf(servers: string): string {
  return servers.replaceAll(/[^@/,]*@/gu, '');
}

function addressesOf(servers: string): string[] {
  return servers.split(',').map((address) => address.trim());
}

/** Whether each of the addresses has a host. */
export function areAddresses(servers: string): boolean {
  return addressesOf(servers).every((address) => URL.canParse(withScheme(address)) && new URL(withScheme(address)).hostname !== '');
}

/** The credentials of the first address apply to all. */
function credentialsOf(servers: string): Pick<URL, 'username' | 'password'> {
  const [first = ''] = addressesOf(servers);
  return new URL(withScheme(first));
}

const withScheme = (address: string): string => (address.includes('://') ? address : `nats://${address}`);
