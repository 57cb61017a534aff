import { join } from 'node:path';
import { memoryOptions, topology } from '@stechuhr/local';
import { freePort } from '@stechuhr/local-infra';
import { startServiceProcess } from '@stechuhr/testing';
import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { monthFirm } from '../../platform/firms.js';
import { toValues } from '../../platform/measured-download.js';
import { benchPlatform, type BenchPlatform } from '../../platform/platform.js';
import { startServer, type Bodies } from './servers/start.js';

const ROOT = join(import.meta.dirname, '../../../..');
const RULES_PATH = '/api/v2/timestamps/absence-rules/';
const RULE_PATH = `${RULES_PATH}0000be00-0000-4000-8000-000000000000/`;
const OWN_PATHS = { unary: '/unary', list: '/list' };
/** Express with a token check and a minimal gRPC call. */
const FLOOR = { to: 'express-auth-grpc', note: 'the floor: only the gRPC hop' };
const load = { module: new URL('./variants/load.js', import.meta.url) };

const definition = topology.filter(({ name }) => name === 'gateway');

/** Starts a second gateway, whose absence-rules service answers from memory. */
async function startGateway(platform: BenchPlatform): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const rules = await startServer('rules', { protoRoot: join(ROOT, 'protos') });
  const port = await freePort();
  const { addresses, servers } = platform.surroundings;
  const process = await startServiceProcess({
    main: join(ROOT, 'services/gateway/dist/main.js'),
    nodeOptions: [...definition.flatMap(memoryOptions), '--import', '@stechuhr/service/telemetry'],
    env: {
      ...servers,
      ...addresses,
      ABSENCE_RULES_ADDRESS: `127.0.0.1:${rules.port}`,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '0',
      EXPORT_RATE_LIMIT_PER_MINUTE: '0',
      CONCURRENT_EXPORTS_PER_TOKEN: '0',
      CONCURRENT_EXPORTS: '0',
    },
  });
  const stop = async (): Promise<void> => {
    await process.stop();
    rules.stop();
  };
  return { port, stop };
}

async function prepare({ quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  // Only for a token: the routes that are measured are answered from memory.
  const { token } = await platform.firm(monthFirm(10));
  const gateway = await startGateway(platform);
  const bodyOf = async (path: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers: { authorization: `Token ${token}` } });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    return response.text();
  };
  const bodies: Bodies = { unary: await bodyOf(RULE_PATH), list: await bodyOf(RULES_PATH) };
  const own: Readonly<Record<string, object>> = {
    bare: { server: 'bare', paths: OWN_PATHS },
    express: { server: 'express', paths: OWN_PATHS },
    'express-auth': { server: 'express', paths: OWN_PATHS, settings: { token } },
    'express-auth-hop': { server: 'express', paths: OWN_PATHS, settings: { token }, upstream: 'http' },
    'express-auth-grpc': { server: 'express', paths: OWN_PATHS, settings: { token }, upstream: 'grpc' },
    gateway: { port: gateway.port, paths: { unary: RULE_PATH, list: RULES_PATH } },
    'gateway-open': { port: gateway.port, method: 'OPTIONS', paths: { unary: '/api/v2/', list: '' } },
    'gateway-auth': { port: gateway.port, method: 'OPTIONS', paths: { unary: '/api/v2/exports/', list: '' } },
  };
  return {
    values: toValues({ token, bodies }),
    notes: [
      `${bodies.unary.length} bytes, list of 100 rows ${bodies.list.length} bytes; gateway-open and gateway-auth: OPTIONS without and with a token check`,
    ],
    before: async (variant) => toValues(own[variant] ?? {}),
    close: gateway.stop,
  };
}

export const gateway: Case = {
  name: 'gateway',
  goals: ['G9', 'G10', 'G11'],
  title: 'overhead of the gateway, compared with Express and plain HTTP with the same bodies',
  sizes: { quick: 1, full: 1 },
  variants: {
    bare: load,
    express: load,
    'express-auth': load,
    'express-auth-hop': load,
    'express-auth-grpc': load,
    gateway: load,
    'gateway-open': load,
    'gateway-auth': load,
  },
  ratios: [
    { goal: 'G9', measure: 'p50Ms', of: 'gateway', to: 'express', target: 8, stretch: 6 },
    { goal: 'G9', measure: 'p50Ms', of: 'gateway', to: 'express-auth-hop', target: 2.5 },
    { goal: 'G9', measure: 'p50Ms', of: 'gateway', ...FLOOR, target: 1.5, stretch: 1.3 },
    { goal: 'G9', measure: 'rps', of: 'gateway', ...FLOOR, target: 0.6, stretch: 0.75, atLeast: true },
    { goal: 'G10', measure: 'p50Ms', of: 'express-auth', to: 'express', target: 1.2, stretch: 1.1, note: 'a hash and a map lookup' },
    { goal: 'G10', measure: 'p50Ms', of: 'gateway-auth', to: 'gateway-open', target: 1.2, stretch: 1.1 },
    { goal: 'G11', measure: 'listRps', of: 'gateway', to: 'express', target: 0.25, stretch: 0.35, atLeast: true },
    { goal: 'G11', measure: 'listRps', of: 'gateway', ...FLOOR, target: 0.6, stretch: 0.75, atLeast: true },
  ],
  prepare,
};
