import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** The addresses that this process holds. Like its environment, they belong to the process as a whole. */
const held = new Map<string, Server>();

/**
 * Holds ports until they are released, right before something listens on them. A process does this before it connects to anything: Linux takes the
 * local port of an outgoing connection from 32768 to 60999, where the usual ports of gRPC are too, and listening on it would then fail with
 * `EADDRINUSE`, also for a minute after the connection has ended. A container would fail again with each restart during this minute.
 *
 * Connections to a held port are reset.
 *
 * @param addresses `host:port`; those with port 0 are left out
 * @throws if another process listens on one of them
 */
export async function holdPorts(addresses: readonly string[]): Promise<void> {
  for (const address of new Set(addresses)) {
    const { host, port } = partsOf(address);
    if (!(port > 0)) continue;
    const server = createServer((socket) => socket.resetAndDestroy());
    server.unref().listen(port, host);
    await once(server, 'listening');
    held.set(address, server);
  }
}

/** Releases the port of an address if it is held. It can be bound at once. */
export function releasePort(address: string): void {
  held.get(address)?.close();
  held.delete(address);
}

function partsOf(address: string): { readonly host: string; readonly port: number } {
  const end = address.lastIndexOf(':');
  return { host: address.slice(0, end).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(end + 1)) };
}
