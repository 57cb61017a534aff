import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The direction of data: from the client, or to it. */
export type GateDirection = 'requests' | 'answers';

/**
 * Called for each chunk before it is forwarded. If it returns `false`, neither the chunk nor anything after it is forwarded on that
 * connection.
 */
export type GateInspection = (direction: GateDirection, connection: number, bytes: number) => boolean;

/** A TCP proxy that can disturb the data between a client and a server. It does not interpret the data. */
export interface TcpGate {
  /** `host:port` for the client. */
  readonly address: string;
  /** Number of bytes that are held until the release, except those of closed connections. */
  readonly heldBytes: number;
  /** Holds all data of a direction, on open and new connections. */
  hold(direction: GateDirection): void;
  /** Holds the responses after this many more bytes of them. */
  holdAnswersAfter(bytes: number): void;
  /** Delays everything in both directions until the release. */
  delay(milliseconds: number): void;
  /** Resets every open connection; new ones are accepted. */
  reset(): void;
  /** Resets a connection after this many more bytes of responses over all connections; once. */
  resetAfter(bytes: number): void;
  /** Closes open connections only towards the server: their clients are not notified, as if a network device had lost its state. */
  halfOpen(): void;
  /** Calls the inspection for each chunk, until the release. */
  inspect(inspection: GateInspection): void;
  /** Forwards everything again, beginning with what was held. */
  release(): void;
  stop(): Promise<void>;
}

interface Disturbance {
  readonly held: Record<GateDirection, boolean>;
  holdAfter: number;
  resetAfter: number;
  delayMs: number;
  inspection: GateInspection | undefined;
}

const undisturbed = (): Disturbance => ({
  held: { requests: false, answers: false },
  holdAfter: Infinity,
  resetAfter: Infinity,
  delayMs: 0,
  inspection: undefined,
});

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  readonly id: number;
  /** Whether the server side is closed without the client's knowledge, or an inspection has ended it. */
  isSilent: boolean;
}

/** The connections through a gate, and their disturbances. */
class Traffic {
  readonly pairs = new Set<Pair>();
  private waiting: { readonly to: Socket; readonly chunk: Buffer }[] = [];
  private disturbance = undisturbed();
  private count = 0;

  constructor(private readonly target: { readonly host: string; readonly port: number }) {}

  get heldBytes(): number {
    return this.waiting.reduce((sum, { chunk }) => sum + chunk.byteLength, 0);
  }

  change(change: Partial<Omit<Disturbance, 'held'>>): void {
    Object.assign(this.disturbance, change);
  }

  hold(direction: GateDirection): void {
    this.disturbance.held[direction] = true;
  }

  release(): void {
    this.disturbance = undisturbed();
    for (const { to, chunk } of this.waiting.splice(0)) to.write(chunk);
  }

  accept(client: Socket): void {
    const pair: Pair = { client, server: connect(this.target), id: ++this.count, isSilent: false };
    this.pairs.add(pair);
    client.on('error', () => undefined).once('close', () => this.end(pair));
    pair.server.on('error', () => undefined).once('close', () => pair.isSilent || this.end(pair));
    this.pass(pair, 'requests');
    this.pass(pair, 'answers');
  }

  private end(pair: Pair): void {
    this.pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
    this.waiting = this.waiting.filter(({ to }) => !to.destroyed);
  }

  private pass(pair: Pair, direction: GateDirection): void {
    const [from, to] = direction === 'requests' ? [pair.client, pair.server] : [pair.server, pair.client];
    // Delayed data stays in order with later data.
    let late: Promise<void> | undefined;
    from.on('data', (chunk: Buffer) => {
      const { delayMs } = this.disturbance;
      if (delayMs === 0 && late === undefined) return this.carry(pair, direction, { to, chunk });
      const due = new Promise<void>((resolve) => setTimeout(resolve, delayMs));
      const mine = Promise.all([due, late]).then(() => {
        this.carry(pair, direction, { to, chunk });
        if (late === mine) late = undefined;
      });
      late = mine;
    });
  }

  private carry(pair: Pair, direction: GateDirection, { to, chunk }: { readonly to: Socket; readonly chunk: Buffer }): void {
    const { disturbance } = this;
    if (disturbance.inspection?.(direction, pair.id, chunk.byteLength) === false) pair.isSilent = true;
    if (pair.isSilent) return;
    // Exactly so many bytes: a chunk may have more than all that follows.
    const passed = disturbance.held[direction]
      ? 0
      : direction === 'requests'
        ? chunk.byteLength
        : Math.min(chunk.byteLength, disturbance.holdAfter);
    if (passed > 0) to.write(chunk.subarray(0, passed));
    if (passed < chunk.byteLength) this.waiting.push({ to, chunk: chunk.subarray(passed) });
    if (direction === 'requests') return;
    disturbance.holdAfter -= chunk.byteLength;
    disturbance.resetAfter -= chunk.byteLength;
    if (disturbance.holdAfter <= 0) disturbance.held.answers = true;
    if (disturbance.resetAfter > 0) return;
    disturbance.resetAfter = Infinity;
    resetPair(pair);
  }
}

function resetPair({ client, server }: Pair): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}

/** Opens a gate on a free port. @param target `host:port` of the server */
export async function openTcpGate(target: string): Promise<TcpGate> {
  const [host = '', port] = target.split(':');
  const traffic = new Traffic({ host, port: Number(port) });
  const listener = createServer((client) => traffic.accept(client)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The gate listens on no port.');
  return {
    address: `127.0.0.1:${address.port}`,
    get heldBytes() {
      return traffic.heldBytes;
    },
    hold: (direction) => traffic.hold(direction),
    holdAnswersAfter: (bytes) => traffic.change({ holdAfter: bytes }),
    delay: (milliseconds) => traffic.change({ delayMs: milliseconds }),
    reset() {
      for (const pair of traffic.pairs) resetPair(pair);
    },
    resetAfter: (bytes) => traffic.change({ resetAfter: bytes }),
    halfOpen() {
      for (const pair of traffic.pairs) {
        pair.isSilent = true;
        pair.server.destroy();
      }
    },
    inspect: (inspection) => traffic.change({ inspection }),
    release: () => traffic.release(),
    async stop() {
      const closed = once(listener, 'close');
      listener.close();
      for (const { client, server } of traffic.pairs) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}
