import { join } from 'node:path';
import type { Run, RunInput } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { cpuMsOf } from '../../../platform/service-processes.js';
import { withDatabase } from '../../../platform/stored-months.js';
import { load, type Asked } from '../../gateway/http-load.js';
import { startServer, type StartedServer } from '../../gateway/servers/start.js';
import { removeSuppressions } from '../remove-suppressions.js';
import { API, FLOOR, requestsOf } from '../requests.js';
import { digestOf, FLOOR_DATABASE, type SmallWritesValues } from '../values.js';

const PROTOS = join(import.meta.dirname, '../../../../../protos');
const server = (name: string): URL => new URL(`../servers/${name}.js`, import.meta.url);
/** V8 compiles by how often code has run, not by how long: both sides have answered as many. */
const WARM_UP_REQUESTS = { quick: 20, full: 3_000 };
const WARM_UP_MS = 500;
const WARM_UP_CONNECTIONS = 4;
const MEASURED_MS = { quick: 200, full: 4_000 };
const COMPARED = 60;

/** Latency of one operation to one client: of the gateway, or of the least chain that does its reads and its write. */
export const run: Run = async (input) => {
  const values = platformValues<SmallWritesValues>(input.values);
  if (values.port !== undefined) return measured(input, { port: values.port, pids: Object.values(values.processes.pids) });
  const started: StartedServer[] = [];
  const start = async (name: string, orders: object): Promise<number> => {
    const one = await startServer(server(name), orders);
    started.push(one);
    return one.port;
  };
  try {
    const { mongodbUrl, institutionId, token } = values;
    const grpcPort = await start('stores', { protoRoot: PROTOS, mongodbUrl, institutionId });
    const port = await start('express', { token, grpcPort });
    return await measured(input, { port, pids: started.map(({ pid }) => pid) });
  } finally {
    for (const { stop } of started) stop();
  }
};

/** Who answers, with all processes that are asked on the way but MongoDB. */
interface Chain {
  readonly port: number;
  readonly pids: readonly number[];
}

/** @returns latencies, and the CPU time of the chain for a request */
async function measured({ values, quick, checking }: RunInput, { port, pids }: Chain) {
  const own = platformValues<SmallWritesValues>(values);
  const isFloor = own.port === undefined;
  const asked = requestsOf(own, isFloor ? FLOOR : API);
  const { token } = own;
  const digest = checking ? { digest: await digestAfter(own, { port, asked }) } : {};
  if (checking && !quick) return { values: {}, ...digest };
  const measuredMs = quick ? MEASURED_MS.quick : MEASURED_MS.full;
  let requests = 0;
  const next = (): Asked => {
    requests += 1;
    return asked();
  };
  const cpuMs = async (): Promise<number> => (await Promise.all(pids.map(cpuMsOf))).reduce((sum, ms) => sum + ms, 0);
  const once = { port, token, asked: next, connections: 1, warmUpMs: 0 };
  const enough = quick ? WARM_UP_REQUESTS.quick : WARM_UP_REQUESTS.full;
  while (requests < enough) await load({ ...once, connections: WARM_UP_CONNECTIONS, measuredMs: WARM_UP_MS });
  if (own.operation === 'post') await removeSuppressions(own);
  const [before, asWarm] = [await cpuMs(), requests];
  const { p50Ms, p99Ms } = await load({ ...once, measuredMs });
  const cpuUs = ((await cpuMs()) - before) / (requests - asWarm);
  return { values: { p50Ms, p99Ms, cpuUs: cpuUs * 1_000 }, ...digest };
}

/** What some requests have stored, or what one has listed. */
async function digestAfter(
  values: SmallWritesValues,
  { port, asked }: { readonly port: number; readonly asked: () => Asked },
): Promise<string> {
  const ask = async (): Promise<unknown> => {
    const { path, method = 'GET', body } = asked();
    const headers = { authorization: `Token ${values.token}`, 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    return response.json();
  };
  if (values.operation === 'entries') {
    const { count, results } = (await ask()) as { readonly count: number; readonly results: readonly { readonly id: string }[] };
    return digestOf([count, results.map(({ id }) => id)]);
  }
  for (let number = 0; number < COMPARED; number += 1) await ask();
  return storedDigest(values);
}

const STORED = {
  patch: {
    service: 'absence_rules',
    collection: 'absence_rules',
    fields: ['employee_id', 'label', 'amount', 'priority', 'available_from', 'expires_at'],
  },
  post: { service: 'reviews', collection: 'suppressions', fields: ['code', 'employee_id', 'valid_from', 'valid_to', 'deleted_at'] },
} as const;

function storedDigest({ operation, mongodbUrl, institutionId, ruleIds, port }: SmallWritesValues): Promise<string> {
  const { service, collection, fields } = operation === 'patch' ? STORED.patch : STORED.post;
  return withDatabase(mongodbUrl, port === undefined ? FLOOR_DATABASE : service, async ({ connection }) => {
    const named = operation === 'patch' ? { _id: { $in: [...ruleIds] } } : {};
    const documents = await connection
      .collection(collection)
      .find({ institution_id: institutionId, ...named } as object)
      .toArray();
    return digestOf(documents.map((document) => JSON.stringify(fields.map((field) => document[field] as unknown))).sort());
  });
}
