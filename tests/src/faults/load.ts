import { setTimeout as pause } from 'node:timers/promises';
import { connectBus, type Bus } from '@stechuhr/bus';
import { createLogger } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { clients as everyone } from './clients/index.js';
import { openClientTools, type Client, type ClientTools } from './clients/client-tools.js';
import { History } from './history.js';

/** Between two requests of one client: two cores are enough. */
const REST_MS = 120;
/** Far above what it takes, which is measured: a machine may be busy. */
const RECOVERY_MS = 300_000;

/** Clients at work, each doing one thing after the other. */
export interface Load {
  readonly history: History;
  readonly tools: ClientTools;
  /**
   * Every client has been served at least once since this was called.
   *
   * @returns after how many milliseconds those were who do not have to start a program for it
   */
  served(): Promise<number>;
  /** The same without those who start a program. */
  mostServed(): Promise<number>;
  /** Lets each finish what it is doing. */
  stop(): Promise<void>;
}

/** Sends what clients send, until it is stopped. @param names of the clients; all by default */
export async function startLoad(
  { stage, firm, slot }: Pick<ClientTools, 'stage' | 'firm' | 'slot'>,
  names?: readonly string[],
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
      await pause(client.restMs ?? REST_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const working = clients.map(work);
  return {
    history,
    tools,
    served: () => untilServed(clients, lastServed),
    mostServed: () => untilServed(withoutProgram, lastServed),
    async stop() {
      stopping.abort();
      await Promise.all(working);
      await bus.close();
    },
  };
}

type LastServed = Map<Client, { readonly from: number; readonly to: number }>;

async function untilServed(waiting: readonly Client[], lastServed: LastServed): Promise<number> {
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
