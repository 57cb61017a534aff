import { join } from 'node:path';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { load } from '../http-load.js';
import { startServer, type Bodies, type StartedServer } from '../servers/start.js';

export interface LoadValues {
  readonly bodies: Bodies;
  /** The server to start; otherwise a server already listens on `port`. */
  readonly server?: 'bare' | 'express';
  readonly settings?: object;
  /** Whether the server fetches its bodies from another server, and how. */
  readonly upstream?: 'http' | 'grpc';
  readonly port?: number;
  readonly paths: { readonly unary: string; readonly list: string };
  readonly method?: string;
}

const PROTOS = join(import.meta.dirname, '../../../../../protos');
const WARM_UP_MS = { quick: 100, full: 2_000 };
const MEASURED_MS = { quick: 200, full: 3_000 };

/** Measures the latency of a small response with one client, its throughput with 32, and the throughput of a list of 100 rows with 8. */
export const run: Run = async ({ values, quick }) => {
  const own = platformValues<LoadValues>(values);
  const started: StartedServer[] = [];
  const start = async (name: string, settings: object): Promise<number> => {
    const server = await startServer(name, { ...own.bodies, ...settings });
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
    const port = own.port ?? (await start(own.server ?? 'bare', { ...own.settings, ...upstream }));
    const period = { warmUpMs: quick ? WARM_UP_MS.quick : WARM_UP_MS.full, measuredMs: quick ? MEASURED_MS.quick : MEASURED_MS.full };
    const method = own.method === undefined ? {} : { method: own.method };
    const measure = (path: string, connections: number) =>
      load({ port, token: own.token, ...period, request: { path, ...method }, connections });
    const single = await measure(own.paths.unary, 1);
    if (own.method !== undefined) return { values: { p50Ms: single.p50Ms, p99Ms: single.p99Ms } };
    const concurrent = await measure(own.paths.unary, 32);
    const list = await measure(own.paths.list, 8);
    return { values: { p50Ms: single.p50Ms, p99Ms: single.p99Ms, rps: concurrent.rps, listRps: list.rps } };
  } finally {
    for (const server of started) server.stop();
  }
};
