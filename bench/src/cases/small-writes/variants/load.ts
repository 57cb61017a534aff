import { join } from 'node:path';
import type { Run, RunInput } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { cpuMsOf } from '../../../platform/service-processes.js';
import { withDatabase } from '../../../platform/stored-months.js';
import { load, type LoadRequest } from '../../gateway/http-load.js';
import { startServer, type StartedServer } from '../../gateway/servers/start.js';
import { removeSuppressions } from '../remove-suppressions.js';
import { API, FLOOR, requestsOf } from '../requests.js';
import { digestOf, FLOOR_DATABASE, type SmallWritesValues } from '../values.js';

const PROTOS = join(import.meta.dirname, '../../../../../protos');
const server = (name: string): URL => new URL(`../servers/${name}.js`, import.meta.url);
/** Both variants answer the same number of requests before the measurement, because V8 optimizes code by how often it has run. */
const WARM_UP_REQUESTS = { quick: 20, full: 3_000 };
const WARM_UP_MS = 500;
const WARM_UP_CONNECTIONS = 4;
const MEASURED_MS = { quick: 200, full: 4_000 };
const COMPARED = 60;

/**
 * Measures the latency of an operation with one client: through the gateway, or through a minimal chain that does only its reads and its
 * write.
 */
export const run: Run = async (input) => {
  const values = platformValues<SmallWritesValues>(input.values);
  if (values.port !== undefined) return measured(input, { port: values.port, pids: Object.values(values.processes.pids) });
  const started: StartedServer[] = [];
  const start = async (name: string, settings: object): Promise<number> => {
    const one = await startServer(server(name), settings);
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

/** The server that answers, and the processes of the whole chain except MongoDB. */
interface Chain {
  readonly port: number;
  readonly pids: readonly number[];
}

/** Measures the chain. @returns latencies, and the CPU time of the chain per request */
async function measured({ values, quick, checking }: RunInput, { port, pids }: Chain) {
  const own = platformValues<SmallWritesValues>(values);
  const isFloor = own.port === undefined;
  const nextRequest = requestsOf(own, isFloor ? FLOOR : API);
  const { token } = own;
  const digest = checking ? { digest: await digestAfter(own, { port, nextRequest }) } : {};
  if (checking && !quick) return { values: {}, ...digest };
  const measuredMs = quick ? MEASURED_MS.quick : MEASURED_MS.full;
  let requests = 0;
  const request = (): LoadRequest => {
    requests += 1;
    return nextRequest();
  };
  const cpuMs = async (): Promise<number> => (await Promise.all(pids.map(cpuMsOf))).reduce((sum, ms) => sum + ms, 0);
  const once = { port, token, request, connections: 1, warmUpMs: 0 };
  const enough = quick ? WARM_UP_REQUESTS.quick : WARM_UP_REQUESTS.full;
  while (requests < enough) await load({ ...once, connections: WARM_UP_CONNECTIONS, measuredMs: WARM_UP_MS });
  if (own.operation === 'post') await removeSuppressions(own);
  const [before, asWarm] = [await cpuMs(), requests];
  const { p50Ms, p99Ms } = await load({ ...once, measuredMs });
  const cpuUs = ((await cpuMs()) - before) / (requests - asWarm);
  return { values: { p50Ms, p99Ms, cpuUs: cpuUs * 1_000 }, ...digest };
}

/** Returns the digest of the documents that some requests have stored, or of the page that one has read. */
async function digestAfter(
  values: SmallWritesValues,
  { port, nextRequest }: { readonly port: number; readonly nextRequest: () => LoadRequest },
): Promise<string> {
  const send = async (): Promise<unknown> => {
    const { path, method = 'GET', body } = nextRequest();
    const headers = { authorization: `Token ${values.token}`, 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    return response.json();
  };
  if (values.operation === 'entries') {
    const { count, results } = (await send()) as { readonly count: number; readonly results: readonly { readonly id: string }[] };
    return digestOf([count, results.map(({ id }) => id)]);
  }
  for (let number = 0; number < COMPARED; number += 1) await send();
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
