import type { NodeConnectionOptions } from '@nats-io/transport-node';

/** How a process connects; a server has `timeout` milliseconds for a connection, and for the answer to a question about streams. */
export type LinkOptions = NodeConnectionOptions & { readonly timeout: number };

/** How every process connects. */
export function connectionOptions(servers: string, name: string, timeout = 5_000): LinkOptions {
  const addresses = addressesOf(servers);
  const { username, password } = credentialsOf(servers);
  return {
    servers: addresses.map((address) => address.replace(/\/\/[^@/]*@/, '//')),
    name,
    // A user may subscribe to its own inbox only, so that no service reads another's replies.
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password), inboxPrefix: `_INBOX_${username}` }),
    // The client would go on in plain text with a server that offers no TLS. One such address is enough: the client also connects to
    // members of the cluster that it has learnt of, for which no scheme is known.
    ...(addresses.some((address) => address.startsWith('tls://')) && { tls: {} }),
    timeout,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 20_000,
    // Two errors with their stacks for each message, made before anything fails, cost more than publishing it.
    noAsyncTraces: true,
  };
}

/** Whether the address names a user. Without one the server knows no rights, and everybody may everything. */
export function namesUser(servers: string): boolean {
  return credentialsOf(servers).username !== '';
}

/** Without what is secret in an address. */
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

/** Those of the first address hold for all. */
function credentialsOf(servers: string): Pick<URL, 'username' | 'password'> {
  const [first = ''] = addressesOf(servers);
  return new URL(withScheme(first));
}

const withScheme = (address: string): string => (address.includes('://') ? address : `nats://${address}`);
