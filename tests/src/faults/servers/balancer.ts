import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { waitFor } from '@stechuhr/testing';

/** What stands before the gateways in a cluster: an ingress, which sends each request to a replica that is ready. */
export interface Balancer {
  /** `host:port` for clients. */
  readonly address: string;
  /** Sends nothing new to this replica, which is about to stop. */
  leave(replica: string): void;
  /** Sends to it again, once it says that it is ready. @returns when it has said so */
  join(replica: string): Promise<void>;
  stop(): Promise<void>;
}

interface Target {
  readonly origin: string;
  /** Connections are used again, as ingresses do: a replica that stops must not close one to which a request is on its way. */
  readonly agent: Agent;
  isMember: boolean;
  isReady: boolean;
  failures: number;
}

const PROBE_EVERY_MS = 1_000;
const PROBE_MS = 3_000;
/** As the kubelet: one failed probe is no reason to leave a replica. */
const MOST_FAILURES = 3;

/** Opens it on a free port. @param replicas `host:port` of the gateways */
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
    // Nothing is sent again: a request that fails is seen by its client.
    pass(incoming, outgoing, target).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const found = (replica: string): Target => {
    const target = targets.get(replica);
    if (target === undefined) throw new Error(`${replica} is not behind the balancer.`);
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
  else if (target.failures >= MOST_FAILURES) target.isReady = false;
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, { origin, agent }: Target): Promise<void> {
  const { method, url = '/', rawHeaders: headers } = incoming;
  const passed = request(`${origin}${url}`, { method, agent, headers: withoutConnection(headers), setHost: false });
  const answered = once(passed, 'response') as Promise<[IncomingMessage]>;
  const [, [response]] = await Promise.all([pipeline(incoming, passed), answered]);
  outgoing.writeHead(response.statusCode ?? 502, withoutConnection(response.rawHeaders));
  await pipeline(response, outgoing);
}

/** It is about one connection, and there are two. */
const withoutConnection = (headers: readonly string[]): string[] =>
  headers.flatMap((name, at) => {
    return at % 2 === 0 && !/^(connection|keep-alive|transfer-encoding)$/i.test(name) ? [name, headers[at + 1] ?? ''] : [];
  });
