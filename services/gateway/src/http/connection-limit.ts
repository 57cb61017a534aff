import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { countRefusal } from '../metrics.js';

/**
 * Limits open connections. One more closes the connection that has been without a request for the longest time, which a client that keeps connections
 * has to expect anyway. Without a limit, clients that keep tens of thousands open, or that never finish their headers, would take all memory before any
 * token is checked.
 *
 * @param max 0 disables the limit
 */
export function limitConnections(server: Server, max: number): void {
  if (max === 0) return;
  /** Connections without a request under way, the one that has been so for the longest time first. */
  const idle = new Set<Socket>();
  const underWay = new Map<Socket, number>();
  server.on('connection', (socket) => {
    underWay.set(socket, 0);
    idle.add(socket);
    socket.once('close', () => {
      underWay.delete(socket);
      idle.delete(socket);
    });
    if (underWay.size <= max) return;
    // The new one itself if all others have requests under way.
    const [longest = socket] = idle;
    countRefusal('connections');
    underWay.delete(longest);
    idle.delete(longest);
    longest.destroy();
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const before = underWay.get(socket);
      if (before === undefined) return;
      underWay.set(socket, before - 1);
      if (before === 1) idle.add(socket);
    });
  });
}
