import { connect } from 'node:net';
import { connectBusAdmin } from '@stechuhr/bus';
import { streams } from '@stechuhr/contracts';
import { quietLogger } from '../quiet-logger.js';
import { failed, ok, reasonOf, warning, type Finding } from './check.js';

const TIMEOUT_MS = 3_000;

/** Whether something listens where a URL points; whether it works is reported by the services. */
export async function checkListening(name: string, url: string, defaultPort: number): Promise<Finding> {
  const hosts = hostsOf(url, defaultPort);
  const reasons = await Promise.all(hosts.map(problemOf));
  const place = hosts.map(({ host, port }) => `${host}:${String(port)}`).join(', ');
  if (reasons.some((reason) => reason === undefined)) return ok(name, `listens at ${place}`);
  return failed(name, `does not answer at ${place}: ${reasons[0] ?? ''}`, `Start ${name}, or correct its address in the environment.`);
}

interface Host {
  readonly host: string;
  readonly port: number;
}

/** Every host of a connection string; a replica set has several. */
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
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const end = (reason?: string) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end(`no answer within ${String(TIMEOUT_MS)} ms`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

/** NATS with the streams of the platform, and whether there are dead letters. */
export async function checkNats(servers: string): Promise<readonly Finding[]> {
  try {
    const bus = await connectBusAdmin({ servers, name: 'stechuhr-doctor', logger: quietLogger });
    try {
      const states = await Promise.all(Object.values(streams).map(async ({ name }) => ({ name, state: await bus.stream(name) })));
      const missing = states.filter(({ state }) => state === undefined).map(({ name }) => name);
      const dead = states.find(({ name }) => name === streams.dead.name)?.state?.messages ?? 0;
      return [streamFinding(missing), letterFinding(dead)];
    } finally {
      await bus.close();
    }
  } catch (caught) {
    return [failed('NATS', reasonOf(caught), 'Start NATS with JetStream, or correct NATS_URL. Until then events wait in the outboxes.')];
  }
}

function streamFinding(missing: readonly string[]): Finding {
  if (missing.length === 0) return ok('NATS', `answers, all ${String(Object.keys(streams).length)} streams exist`);
  return failed(
    'NATS',
    `lacks the streams ${missing.join(', ')}`,
    'Restart a service: each creates missing streams when it starts. Check that JetStream is enabled.',
  );
}

function letterFinding(letters: number): Finding {
  if (letters === 0) return ok('dead letters', 'none');
  return warning('dead letters', `${String(letters)} messages could not be handled`, 'List them: stechuhr dead-letters list.');
}
