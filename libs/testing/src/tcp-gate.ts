import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What passes through a gate: from the client, or to it. */
export type GateDirection = 'requests' | 'answers';

/** A proxy between a client and a server that can hold up their data. */
export interface TcpGate {
  /** `host:port` for the client. */
  readonly address: string;
  /** Bytes that wait for the release; those of a connection that has ended wait no more. */
  readonly heldBytes: number;
  /** Lets nothing of that direction pass any more, neither on open connections nor on new ones. */
  hold(direction: GateDirection): void;
  /** Holds the answers as soon as so many bytes of them have passed from now on. */
  holdAnswersAfter(bytes: number): void;
  /** Lets everything pass again, what was held first. */
  release(): void;
  stop(): Promise<void>;
}

/** Opens a gate on a free port. @param target `host:port` of the server */
export async function openTcpGate(target: string): Promise<TcpGate> {
  const [host, port] = target.split(':');
  const sockets = new Set<Socket>();
  const isHeld = { requests: false, answers: false };
  let waiting: { readonly to: Socket; readonly chunk: Buffer }[] = [];
  let answersLeft = Infinity;
  const pass = (from: Socket, to: Socket, direction: GateDirection) => {
    from.on('data', (chunk: Buffer) => {
      if (isHeld[direction]) waiting.push({ to, chunk });
      else to.write(chunk);
      if (direction === 'answers') answersLeft -= chunk.byteLength;
      if (answersLeft <= 0) isHeld.answers = true;
    });
  };
  const listener = createServer((client) => {
    const server = connect(Number(port), host);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(socket);
          other.destroy();
          waiting = waiting.filter(({ to }) => !to.destroyed);
        });
    }
    pass(client, server, 'requests');
    pass(server, client, 'answers');
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The gate listens on no port.');
  return {
    address: `127.0.0.1:${address.port}`,
    get heldBytes() {
      return waiting.reduce((sum, { chunk }) => sum + chunk.byteLength, 0);
    },
    hold: (direction) => void (isHeld[direction] = true),
    holdAnswersAfter: (bytes) => void (answersLeft = bytes),
    release() {
      answersLeft = Infinity;
      isHeld.requests = false;
      isHeld.answers = false;
      for (const { to, chunk } of waiting.splice(0)) to.write(chunk);
    },
    async stop() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
