import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fetchMongod, MONGOD_VERSION } from '../fetch/mongod.js';
import { fetchStandIn } from '../fetch/mongo-stand-in.js';
import { pythonTool } from '../fetch/python-tool.js';
import { pingMongodb } from '../probes/probes.js';
import { fromDocker } from '../providers/docker.js';
import { fromEnvironment } from '../providers/environment.js';
import { fromPath } from '../providers/path.js';
import { runProgram, type Program } from '../providers/program.js';
import type { Part, Provider } from '../providers/provider.js';

/**
 * Limits the heap of the stand-in, which grows on demand. It holds the indexes, and reads take three times as long when little is free. With 2 GB,
 * the indexes of 2,000 institutions left so little room that the garbage collector used nearly all of the time.
 */
const MAX_HEAP = '4g';

/**
 * Size of the young generation. What a read decodes is garbage at once, but each collection copies the cached pages, some 50 MB. With the 200 MB that
 * Java chooses by itself, this took half of the time of a long read (bench/README.md).
 */
const YOUNG_GENERATION = '900m';

const urlAt = (port: number): string => `mongodb://127.0.0.1:${port}`;

const mongod = (command: string, description: string): Program<string> => ({
  name: 'mongodb',
  description,
  probe: pingMongodb,
  launch: async ({ folder, port }) => {
    const data = join(folder, 'mongod');
    mkdirSync(data, { recursive: true });
    // By default, mongod uses half of the machine's memory.
    const limits = ['--wiredTigerCacheSizeGB', '0.5'];
    return { command, args: ['--dbpath', data, '--bind_ip', '127.0.0.1', '--port', String(port), ...limits], address: urlAt(port) };
  },
});

const downloaded: Provider<string> = {
  id: 'download',
  prepare: async ({ cache }) => runProgram(mongod(await fetchMongod(cache), `mongod ${MONGOD_VERSION}, downloaded`)),
};

const standIn: Provider<string> = {
  id: 'stand-in',
  prepare: async ({ cache }) => {
    const classPath = await fetchStandIn(cache);
    return runProgram({
      name: 'mongodb',
      description: 'the stand-in (mongo-java-server on H2)',
      probe: pingMongodb,
      launch: async ({ folder, port }) => ({
        command: 'java',
        args: [
          `-Xmx${MAX_HEAP}`,
          `-Xmn${YOUNG_GENERATION}`,
          '-XX:+UseSerialGC',
          '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
          ...['-cp', classPath, 'MongoStandIn', String(port), join(folder, 'stand-in.mv')],
        ],
        address: urlAt(port),
      }),
    });
  },
};

/** MongoDB; its address is `mongodb://host:port`, without a database. */
export const mongodb: Part<string> = {
  name: 'mongodb',
  label: 'MongoDB',
  providers: [
    fromEnvironment('MONGODB_URL', (_env, url) => url),
    fromDocker({
      image: 'mongo:8.0@sha256:4968f22d0c6c10ef29952f3e807f62872ba22b3312f25803564fbfc08255efc2',
      port: 27017,
      command: ['--wiredTigerCacheSizeGB', '0.5'],
      dataPath: '/data/db',
      probe: pingMongodb,
      settings: async ({ port }) => ({ environment: {}, address: urlAt(port) }),
    }),
    fromPath({ command: 'mongod', versionArgument: '--version', version: /db version v(\d+)\.(\d+)/, atLeast: [6, 0] }, mongod),
    downloaded,
    standIn,
  ],
  advice: 'Install Docker, mongod 6 or newer, or a JDK 17 or newer with Maven; or set MONGODB_URL.',
};

/**
 * SecantusDB: another implementation of MongoDB's protocol, with users and their rights, on MongoDB's storage engine. It is slow, and for checks only.
 *
 * @param options options of its command line, such as `--auth`
 */
export const secantusDb = (options: readonly string[]): Part<string> => ({
  name: 'mongodb',
  label: 'MongoDB',
  providers: [
    {
      id: 'secantusdb',
      prepare: async ({ cache }) => {
        const { command, args, env } = await pythonTool(cache, { name: 'secantusdb', module: 'secantus', oldestPython: '3.11' });
        return runProgram({
          name: 'mongodb',
          description: 'SecantusDB from PyPI',
          probe: pingMongodb,
          launch: async ({ folder, port }) => {
            const place = ['--port', String(port), '--storage-path', join(folder, 'secantusdb'), '--log-level', 'WARNING'];
            return { command, args: [...args, ...place, ...options], env, address: urlAt(port) };
          },
        });
      },
    },
  ],
  advice: 'Install Python 3.11 or newer.',
});
