import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { waitFor } from '@stechuhr/testing';

/** A load balancer that replaces the ingress of a cluster: it sends each request to a ready gateway. */
export interface Balancer {
  /** `host:port` for clients. */
  readonly address: string;
  /** Sends no more new requests to this replica, which is about to stop. */
  leave(replica: string): void;
  /** Waits until the replica is ready and sends requests to it again. */
  join(replica: string): Promise<void>;
  stop(): Promise<void>;
}

interface Target {
  readonly origin: string;
  /** Reuses connections, like an ingress. A stopping replica must not close a connection on which a request is in flight. */
  readonly agent: Agent;
  isMember: boolean;
  isReady: boolean;
  failures: number;
}

const PROBE_EVERY_MS = 1_000;
const PROBE_MS = 3_000;
/** Number of failed probes after which a replica is no longer used, like in the kubelet. */
const FAILURE_THRESHOLD = 3;

/** Starts the balancer on a free port. @param replicas `host:port` of the gateways */
export async function openBalancer(replicas: readonly string[]): Promise<Balancer> {
  const targets = new Map(
    replicas.map((replica): [string, Target] => [
      replica,
      { origin: `http://${replica}`, agent: new Agent({ keepAlive: true }), isMember: true, isReady: true, failures: 0 },
    ]),
  );
  const probing = setInterval(() => void Promise.all([...targets.values()].map(probe)), PROBE_EVERY_MS);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const usable = [...targets.values()].filter(({ isMember, isReady }) => isMember && isReady);
    const target = usable[turn++ % usable.length];
    if (target === undefined) {
      incoming.resume();
      outgoing.writeHead(503, { 'content-type': 'text/plain' }).end('No gateway is ready.');
      return;
    }
    // Requests are not retried, so that clients notice failures.
    pass(incoming, outgoing, target).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const found = (replica: string): Target => {
    const target = targets.get(replica);
    if (target === undefined) throw new Error(`${replica} is not a replica of the balancer.`);
    return target;
  };
  return {
    address: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    leave: (replica) => void (found(replica).isMember = false),
    async join(replica) {
      const target = Object.assign(found(replica), { isMember: true, isReady: false });
      await waitFor(() => target.isReady);
    },
    async stop() {
      clearInterval(probing);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const { agent } of targets.values()) agent.destroy();
      await closed;
    },
  };
}

async function probe(target: Target): Promise<void> {
  const isWell = await fetch(`${target.origin}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
  target.failures = isWell ? 0 : target.failures + 1;
  if (isWell) target.isReady = true;
  else if (target.failures >= FAILURE_THRESHOLD) target.isReady = false;
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, { origin, agent }: Target): Promise<void> {
  const { method, url = '/', rawHeaders: headers } = incoming;
  const passed = request(`${origin}${url}`, { method, agent, headers: withoutConnection(headers), setHost: false });
  const answered = once(passed, 'response') as Promise<[IncomingMessage]>;
  const [, [response]] = await Promise.all([pipeline(incoming, passed), answered]);
  outgoing.writeHead(response.statusCode ?? 502, withoutConnection(response.rawHeaders));
  await pipeline(response, outgoing);
}

/** Removes hop-by-hop headers, because the connections to the client and to the replica are separate. */
const withoutConnection = (headers: readonly string[]): string[] =>
  headers.flatMap((name, at) => {
    return at % 2 === 0 && !/^(connection|keep-alive|transfer-encoding)$/i.test(name) ? [name, headers[at + 1] ?? ''] : [];
  });
