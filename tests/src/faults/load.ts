import { setTimeout as pause } from 'node:timers/promises';
import { connectBus, type Bus } from '@stechuhr/bus';
import { createLogger } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { clients as everyone } from './clients/index.js';
import { openClientTools, type Client, type ClientTools } from './clients/client-tools.js';
import { History } from './history.js';

/** Pause between two requests of a client, so that two cores are sufficient. */
const REST_MS = 120;
/** Time limit for the recovery, far above the measured values, because the machine may be busy. */
const RECOVERY_MS = 300_000;

/** Concurrent clients, each of which works sequentially. */
export interface Load {
  readonly history: History;
  readonly tools: ClientTools;
  /**
   * Waits until every client has been served at least once since this call.
   *
   * @returns milliseconds until the clients were served that do not start a program for each request
   */
  served(): Promise<number>;
  /** Like {@link served}, but without clients that start a program for each request. */
  mostServed(): Promise<number>;
  /** Stops the clients after their current operation. */
  stop(): Promise<void>;
}

/** Which clients work, and how fast. */
export interface Pace {
  /** Names of the clients; all by default. */
  readonly clients?: readonly string[] | undefined;
  /** How many times as long as usual they pause between requests; 1 by default. */
  readonly rest?: number;
}

/** Starts clients, which work until they are stopped. */
export async function startLoad(
  { stage, firm, slot }: Pick<ClientTools, 'stage' | 'firm' | 'slot'>,
  { clients: names, rest = 1 }: Pace = {},
): Promise<Load> {
  const clients = everyone.filter(({ name }) => names?.includes(name) ?? true);
  const withoutProgram = clients.filter(({ restMs }) => restMs === undefined);
  const history = new History();
  const bus: Bus = await connectBus({ servers: stage.infra.natsUrl, name: 'erp', logger: createLogger('erp', 'silent') });
  const tools = openClientTools({ stage, firm, slot, history, bus });
  const lastServed: LastServed = new Map();
  const stopping = new AbortController();
  const work = async (client: Client): Promise<void> => {
    const act = client.start(tools);
    while (!stopping.signal.aborted) {
      const began = performance.now();
      if (await act()) lastServed.set(client, { from: began, to: performance.now() });
      await pause(rest * (client.restMs ?? REST_MS), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const working = clients.map(work);
  return {
    history,
    tools,
    served: () => waitUntilServed(clients, lastServed),
    mostServed: () => waitUntilServed(withoutProgram, lastServed),
    async stop() {
      stopping.abort();
      await Promise.all(working);
      await bus.close();
    },
  };
}

type LastServed = Map<Client, { readonly from: number; readonly to: number }>;

async function waitUntilServed(waiting: readonly Client[], lastServed: LastServed): Promise<number> {
  const since = performance.now();
  const first = new Map<Client, number>();
  const areServed = (): boolean => {
    for (const [client, { from, to }] of lastServed) if (from >= since && !first.has(client)) first.set(client, to - since);
    return waiting.every((client) => first.has(client));
  };
  await waitFor(areServed, { timeoutMs: RECOVERY_MS }).catch(() => {
    const late = waiting.filter((client) => !first.has(client)).map(({ name }) => name);
    throw new Error(`not served again within ${String(RECOVERY_MS / 1_000)} s: ${late.join(', ')}`);
  });
  return Math.max(0, ...[...first].map(([{ restMs }, ms]) => (restMs === undefined ? ms : 0)));
}
