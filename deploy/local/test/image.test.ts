import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, Home, startS3 } from '@stechuhr/local-infra';
import { startServiceProcess, testServers, type TestServers } from '@stechuhr/testing';
import { addressVariables } from '../src/environment.js';
import { topology, type ServiceDefinition } from '../src/topology.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

let folder: string;
let home: Home;
let servers: TestServers;
let s3: Awaited<ReturnType<typeof startS3>>;

beforeAll(async () => {
  home = await Home.temporary();
  folder = await mkdtemp(join(ROOT, '.cache', 'image-'));
  [servers, s3] = await Promise.all([testServers(), startS3({ home })]);
});

afterAll(async () => {
  await Promise.all([servers.stop(), s3.stop()]);
  await home.close();
  await rm(folder, { recursive: true });
});

/** Returns all settings that a service may read; the services that it calls are unavailable. */
function environment({ name, calls }: ServiceDefinition, adminPort: number): Record<string, string> {
  return {
    HOME: folder,
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: servers.database(name),
    NATS_URL: servers.natsUrl,
    REDIS_URL: servers.redisUrl,
    S3_ENDPOINT: s3.address.endpoint,
    S3_ACCESS_KEY: s3.address.accessKey,
    S3_SECRET_KEY: s3.address.secretKey,
    S3_BUCKET: s3.address.bucket,
    ...addressVariables(calls, new Map(calls.map((peer) => [peer, { admin: 1, serving: 1 }]))),
    PORT: '0',
    ADMIN_PORT: String(adminPort),
    LOG_LEVEL: 'info',
  };
}

/** Only the service with a native dependency (sharp) is tried here; the cluster scenarios start all services. */
const tried = topology.filter(({ name }) => name === 'daily-reports');

describe('the folder from which an image is built', () => {
  it.each(tried)('contains everything that $name needs to run', async (service) => {
    const out = join(folder, service.name);
    await run(process.execPath, [join(ROOT, 'deploy/image/prune-service.mjs'), service.name, out]);
    const port = await freePort();
    const telemetry = pathToFileURL(join(out, 'node_modules/@stechuhr/service/dist/telemetry.js')).href;
    const main = join(out, 'main.js');
    const started = await startServiceProcess({ main, env: environment(service, port), nodeOptions: ['--import', telemetry] });
    try {
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
      expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('nodejs_eventloop');
    } finally {
      await started.stop();
    }
  });

  it('contains everything that the command line needs to run', async () => {
    const out = join(folder, 'cli');
    await run(process.execPath, [join(ROOT, 'deploy/image/prune-service.mjs'), 'cli', out]);
    const { stdout } = await run(process.execPath, [join(out, 'main.js'), '--help'], { cwd: out });
    expect(stdout).toContain('dead-letters');
    // Pictures are not code, but are part of the image too.
    const demo = await run(process.execPath, [join(out, 'main.js'), 'demo', '--months', '1', '--output', '-'], {
      cwd: out,
      maxBuffer: 64 << 20,
    });
    expect(demo.stdout).toContain('data:image/png;base64,');
  });

  it('rejects a service that does not exist', async () => {
    const pruned = run(process.execPath, [join(ROOT, 'deploy/image/prune-service.mjs'), 'nothing', join(folder, 'nothing')]);
    await expect(pruned).rejects.toThrow('there is no workspace @stechuhr/nothing');
  });
});

// skaffold watches these files. If sources or files of other services were among them, changing one would rebuild the image needlessly.
describe('the files on which an image of skaffold dev depends', () => {
  it('are compiled code, packages and protos of the service and of its dependencies', async () => {
    const { stdout } = await run(process.execPath, [join(ROOT, 'deploy/image/dev.mjs'), 'files', 'records']);
    const files = JSON.parse(stdout) as string[];
    expect(files).toEqual(
      expect.arrayContaining([
        'package-lock.json',
        'services/records/package.json',
        'services/records/dist/main.js',
        'libs/kernel/dist/index.js',
        'protos/stechuhr/records/v1/records.proto',
      ]),
    );
    expect(files.filter((file) => /^services\/(?!records\/)|\.ts$|\.map$|\.tsbuildinfo$|\.test\./.test(file))).toEqual([]);
  });
});
