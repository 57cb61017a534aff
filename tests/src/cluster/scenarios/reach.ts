import { topology } from '@stechuhr/local';
import { podOf, services } from '../platform/pods.js';
import type { Platform } from '../platform/platform.js';
import { Broken, type Scenario } from './scenario.js';

const ADMIN = 9464;
/** Ports of the chart's containers. */
const SERVING = { grpc: [50051, 50052, ADMIN], http: [8080, ADMIN], nothing: [ADMIN] } as const;

/** Servers of the release by what a service needs. */
const SERVERS = { mongodb: ['mongodb', 27017], nats: ['nats', 4222], redis: ['redis', 6379], s3: ['minio', 9000] } as const;

/** `stechuhr doctor` connects to the admin ports of all services, and to the gateway also like a client. */
const toolbox = {
  name: 'toolbox',
  needs: Object.keys(SERVERS),
  calls: services.filter((name) => name !== 'worker' && name !== 'gateway'),
  asks: [...services.map((name) => `${name}:${ADMIN}`), 'gateway:8080'],
};

/** A connection without an answer within this time counts as blocked by a network policy. */
const SILENCE_MS = 2_500;

export const policiesHold: Scenario = {
  name: 'each pod reaches what the topology says, and nothing else',
  brief: true,
  async run(platform) {
    const targets = await addresses(platform);
    const wrong: string[] = [];
    let tried = 0;
    for (const { name, calls, needs, asks } of [...topology.map((service) => ({ ...service, asks: [] })), toolbox]) {
      const allowed = new Set<string>([
        ...asks,
        ...calls.map((peer) => `${peer}:50051`),
        ...needs.map((need) => SERVERS[need as keyof typeof SERVERS].join(':')),
      ]);
      const others = targets.filter(({ to }) => !to.startsWith(`${name}:`));
      const open = new Set(await openFrom(platform, await podOf(platform, name), others));
      tried += others.length;
      for (const { to } of others) {
        if (open.has(to) && !allowed.has(to)) wrong.push(`${name} reaches ${to}`);
        if (!open.has(to) && allowed.has(to)) wrong.push(`${name} does not reach ${to}`);
      }
    }
    if (wrong.length > 0) throw new Broken(`different from the topology:\n${wrong.join('\n')}`);
    return { note: `${tried} connections tried` };
  },
};

interface Target {
  /** Service and port, such as `records:50051`. */
  readonly to: string;
  readonly host: string;
  readonly port: number;
}

/** Returns the IP addresses of pods, because policies apply to pods and not to names or Services. */
async function addresses(platform: Platform): Promise<readonly Target[]> {
  const serving = topology.flatMap(({ name, serves }) => SERVING[serves].map((port) => ({ name, port })));
  const servers = Object.values(SERVERS).map(([name, port]) => ({ name, port }));
  const all = [...serving, ...servers, { name: 'nats', port: 8222 }];
  const hosts = new Map<string, string>();
  for (const { name } of all) {
    if (!hosts.has(name)) hosts.set(name, (await platform.kube.get('pod', await podOf(platform, name)))['status'].podIP as string);
  }
  return all.map(({ name, port }) => ({ to: `${name}:${port}`, host: hosts.get(name) ?? '', port }));
}

async function openFrom({ kube }: Platform, pod: string, targets: readonly Target[]): Promise<readonly string[]> {
  const script = `
    import { connect } from 'node:net';
    const answers = await Promise.all(${JSON.stringify(targets)}.map(({ to, host, port }) => new Promise((done) => {
      const socket = connect({ host, port, timeout: ${SILENCE_MS} });
      const end = (open) => { socket.destroy(); done(open ? [to] : []); };
      socket.once('connect', () => end(true)).once('timeout', () => end(false)).once('error', () => end(false));
    })));
    console.log(JSON.stringify(answers.flat()));`;
  return JSON.parse(await kube.node(pod, script)) as string[];
}
