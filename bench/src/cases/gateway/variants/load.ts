import { join } from 'node:path';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { load } from '../http-load.js';
import { startServer, type Bodies, type StartedServer } from '../servers/start.js';

export interface LoadValues {
  readonly bodies: Bodies;
  /** The server to start; without one, somebody listens on `port` already. */
  readonly server?: 'bare' | 'express';
  readonly orders?: object;
  /** Whether the server asks another one for its bodies. */
  readonly upstream?: 'http' | 'grpc';
  readonly port?: number;
  readonly paths: { readonly unary: string; readonly list: string };
  readonly method?: string;
}

const PROTOS = join(import.meta.dirname, '../../../../../protos');
const WARM_UP_MS = { quick: 100, full: 2_000 };
const MEASURED_MS = { quick: 200, full: 3_000 };

/** Latency of a small answer to one client, throughput of it to 32, and of a list of 100 rows to 8. */
export const run: Run = async ({ values, quick }) => {
  const own = platformValues<LoadValues>(values);
  const started: StartedServer[] = [];
  const start = async (name: string, orders: object): Promise<number> => {
    const server = await startServer(name, { ...own.bodies, ...orders });
    started.push(server);
    return server.port;
  };
  try {
    const upstreams = {
      none: async () => ({}),
      http: async () => ({ upstreamPort: await start('bare', {}) }),
      grpc: async () => ({ grpcPort: await start('rules', { protoRoot: PROTOS }) }),
    };
    const upstream = await upstreams[own.upstream ?? 'none']();
    const port = own.port ?? (await start(own.server ?? 'bare', { ...own.orders, ...upstream }));
    const period = { warmUpMs: quick ? WARM_UP_MS.quick : WARM_UP_MS.full, measuredMs: quick ? MEASURED_MS.quick : MEASURED_MS.full };
    const method = own.method === undefined ? {} : { method: own.method };
    const ask = (path: string, connections: number) => load({ port, token: own.token, ...period, asked: { path, ...method }, connections });
    const alone = await ask(own.paths.unary, 1);
    if (own.method !== undefined) return { values: { p50Ms: alone.p50Ms, p99Ms: alone.p99Ms } };
    const crowd = await ask(own.paths.unary, 32);
    const list = await ask(own.paths.list, 8);
    return { values: { p50Ms: alone.p50Ms, p99Ms: alone.p99Ms, rps: crowd.rps, listRps: list.rps } };
  } finally {
    for (const server of started) server.stop();
  }
};
