import { resolveSrv } from 'node:dns/promises';
import { connect } from 'node:net';
import { connectBusAdmin, SLOT_MAPPING, type BusAdmin } from '@stechuhr/bus';
import { allStreams, streams, subscriptions, subscriptionsOf, type Layouts } from '@stechuhr/contracts';
import { ownTimeLimit } from '@stechuhr/kernel';
import { quietLogger } from '../quiet-logger.js';
import { reasonOf } from '../reason-of.js';
import { failed, ok, warning, type Finding } from './check.js';

const TIMEOUT_MS = 3_000;

/** Checks whether something listens at a URL. Whether the server works is reported by the services that use it. */
export async function checkListening(name: string, url: string, defaultPort: number, lookUp: LookUp = resolveSrv): Promise<Finding> {
  const listed = hostsOf(url, defaultPort);
  const hosts = url.startsWith('mongodb+srv:') ? await hostsOfSrv(listed, lookUp) : listed;
  if (typeof hosts === 'string') return failed(name, hosts, `Correct the address of ${name} in the environment, or its entry in DNS.`);
  const reasons = await Promise.all(hosts.map(problemOf));
  const place = hosts.map(({ host, port }) => `${host}:${String(port)}`).join(', ');
  if (reasons.some((reason) => reason === undefined)) return ok(name, `listens at ${place}`);
  return failed(name, `does not answer at ${place}: ${reasons[0] ?? ''}`, `Start ${name}, or correct its address in the environment.`);
}

interface Host {
  readonly host: string;
  readonly port: number;
}

/** Looks up SRV records, such as `_mongodb._tcp.<host>`. */
type LookUp = (name: string) => Promise<readonly { readonly name: string; readonly port: number }[]>;

/**
 * A `mongodb+srv` URL names one host, at which nothing listens; the servers are found through DNS.
 * @returns the hosts, or a text saying why there are none
 */
async function hostsOfSrv([named]: readonly Host[], lookUp: LookUp): Promise<readonly Host[] | string> {
  try {
    return (await lookUp(`_mongodb._tcp.${named?.host ?? ''}`)).map(({ name: host, port }) => ({ host, port }));
  } catch (caught) {
    return reasonOf(caught);
  }
}

/** All hosts of a connection string; that of a replica set has several. */
function hostsOf(url: string, defaultPort: number): readonly Host[] {
  const places =
    url
      .replace(/^[a-z0-9+]+:\/\//iu, '')
      .replace(/^[^/]*@/u, '')
      .split(/[/?]/u)[0] ?? '';
  return places.split(',').map((place) => {
    const [, host = place, port] = /^(.*?)(?::(\d+))?$/u.exec(place) ?? [];
    return { host: host.replaceAll(/[[\]]/gu, ''), port: port === undefined ? defaultPort : Number(port) };
  });
}

function problemOf({ host, port }: Host): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (reason?: string) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => end());
    const limit = ownTimeLimit(TIMEOUT_MS);
    limit.addEventListener('abort', () => end(reasonOf(limit.reason)), { once: true });
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

/** Checks NATS: that the streams of the platform exist, and whether there are dead letters. */
export async function checkNats(servers: string): Promise<readonly Finding[]> {
  try {
    const bus = await connectBusAdmin({ servers, name: 'stechuhr-doctor', logger: quietLogger });
    try {
      const layouts = await bus.layouts();
      const states = await Promise.all(allStreams(layouts).map(async (name) => ({ name, state: await bus.stream(name) })));
      const missing = states.filter(({ state }) => state === undefined).map(({ name }) => name);
      const dead = states.find(({ name }) => name === streams.dead.name)?.state?.messages ?? 0;
      return [
        streamFinding(states.length, missing),
        ...(await checkSlots(bus, layouts)),
        ...(await checkConsumers(bus, layouts)),
        letterFinding(dead),
      ];
    } finally {
      await bus.close();
    }
  } catch (caught) {
    return [failed('NATS', reasonOf(caught), 'Start NATS with JetStream, or correct NATS_URL. Until then events wait in the outboxes.')];
  }
}

function streamFinding(count: number, missing: readonly string[]): Finding {
  if (missing.length === 0) return ok('NATS', `answers, all ${String(count)} streams exist`);
  return failed(
    'NATS',
    `does not have the streams ${missing.join(', ')}`,
    'The service tasks creates them within seconds. Check that JetStream is enabled and that tasks runs; its log says why it cannot create them.',
  );
}

/** Without slots, partitions of live objects take none. */
async function checkSlots(bus: BusAdmin, { ingest }: Layouts): Promise<readonly Finding[]> {
  if (ingest.partitions === 1) return [];
  if (await bus.addsSlots()) return [ok('live objects', `are distributed over ${String(ingest.partitions)} streams`)];
  const advice = `Add this to the account of NATS, on each server: ${SLOT_MAPPING}`;
  return [failed('live objects', 'are refused by NATS, which adds no slots to their subjects', advice)];
}

/** A consumer without any request for this long has probably been forgotten. */
const FORGOTTEN_MS = 86_400_000;

async function checkConsumers(bus: BusAdmin, layouts: Layouts): Promise<readonly Finding[]> {
  const found = (
    await Promise.all(allStreams(layouts).map(async (stream) => (await bus.consumers(stream)).map((state) => ({ ...state, stream }))))
  ).flat();
  const own = new Map(subscriptionsOf(layouts).map((line) => [`${line.stream} ${line.durable}`, line]));
  const present = new Set(found.map(({ stream, name }) => `${stream} ${name}`));
  const missing = [...own].filter(([key]) => !present.has(key)).map(([, line]) => nameOf(line));
  const idle = found
    .filter(({ stream, name, isUsed }) => !isUsed && own.has(`${stream} ${name}`))
    .map(({ stream, name: durable }) => nameOf({ stream, durable }));
  const forgotten = found.filter(
    ({ stream, name, isUsed, pending, lastActiveAt }) =>
      !own.has(`${stream} ${name}`) && !isUsed && pending > 0 && Date.now() - lastActiveAt.getTime() > FORGOTTEN_MS,
  );
  return [
    consumerFinding(own.size, missing, idle),
    ...forgotten.map(({ stream, name, pending }) => forgottenFinding(stream, name, pending)),
  ];
}

/** The name of a consumer, with its stream if another one has a consumer of the same name: a partition, or the stream of version 0.2. */
function nameOf({ stream, durable }: { readonly stream: string; readonly durable: string }): string {
  const first = subscriptions.find((line) => line.durable === durable);
  return first?.stream === stream ? durable : `${durable} of ${stream}`;
}

function consumerFinding(count: number, missing: readonly string[], idle: readonly string[]): Finding {
  if (missing.length > 0) {
    const advice = 'The service tasks creates them within seconds. Check that it runs; its log says why it cannot create them.';
    return failed('consumers', `${missing.join(', ')} do not exist: their messages are not delivered`, advice);
  }
  if (idle.length > 0) {
    const advice = 'Start the services that they are named after. Without jobs KEDA may have scaled worker to zero, which is no problem.';
    return warning('consumers', `no process reads from ${idle.join(', ')}`, advice);
  }
  return ok('consumers', `all ${String(count)} exist, and their services read from them`);
}

function forgottenFinding(stream: string, name: string, pending: number): Finding {
  const advice = 'If its subscriber will never use it again, remove it: nats consumer rm.';
  return warning(
    'consumers',
    `${name} of ${stream} is not one of the platform's; no process has read its ${String(pending)} messages for a day`,
    advice,
  );
}

function letterFinding(letters: number): Finding {
  if (letters === 0) return ok('dead letters', 'none');
  return warning('dead letters', `${String(letters)} messages could not be handled`, 'List them: stechuhr dead-letters list.');
}
