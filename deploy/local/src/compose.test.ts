import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { addressVariables } from './environment.js';
import { HEAP_OPTIONS, imageArguments, topology } from './topology.js';

interface ComposeService {
  readonly build?: { readonly args: Readonly<Record<string, string>> };
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly stop_grace_period?: string;
}

const file = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
const { services } = parse(file, { merge: true }) as { readonly services: Readonly<Record<string, ComposeService>> };
const SERVERS = { mongodb: 'mongodb', nats: 'nats', redis: 'redis', s3: 'minio' } as const;
const VARIABLE = { mongodb: 'MONGODB_URL', nats: 'NATS_URL', redis: 'REDIS_URL', s3: 'S3_ENDPOINT' } as const;

const scraped = parse(readFileSync(new URL('../../observability/prometheus.yaml', import.meta.url), 'utf8')) as {
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
};

interface Artifact {
  readonly image: string;
  readonly docker?: { readonly buildArgs: Readonly<Record<string, string>> };
  readonly custom?: { readonly buildCommand: string; readonly dependencies: { readonly command: string } };
}

const skaffold = parse(readFileSync(new URL('../../../skaffold.yaml', import.meta.url), 'utf8')) as {
  readonly build: { readonly artifacts: readonly Artifact[] };
  readonly profiles: readonly { readonly name: string; readonly build?: { readonly artifacts: readonly Artifact[] } }[];
};

describe('NATS in Compose', () => {
  it('syncs each message to disk before acknowledging it, because there is no replica', () => {
    const { command, volumes } = services['nats'] ?? {};
    expect(volumes).toContain(`./nats.conf:${command?.at(-1) ?? ''}:ro`);
    expect(readFileSync(new URL('../../nats.conf', import.meta.url), 'utf8')).toMatch(/^jetstream \{.* sync_interval: always \}$/m);
  });
});

describe('the Dockerfile', () => {
  it('starts Node with the same heap options as npm start, in both images', () => {
    const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
    const commands = [...dockerfile.matchAll(/^CMD (.*)$/gm)].map(([, command = '']) => JSON.parse(command) as readonly string[]);
    const options = commands.map((command) => command.slice(0, command.indexOf('--import')).filter((option) => option !== '--watch'));
    expect(options).toEqual([HEAP_OPTIONS, HEAP_OPTIONS]);
  });
});

describe('skaffold.yaml', () => {
  it('builds the image of each service with the same arguments as Compose', () => {
    const built = skaffold.build.artifacts.map(({ docker }) => docker?.buildArgs).filter((args) => args?.['SERVICE'] !== 'cli');
    expect(built).toHaveLength(topology.length);
    expect(built).toEqual(expect.arrayContaining(topology.map(imageArguments)));
  });

  it('builds the same images from compiled code for development, each watching only its own files', () => {
    const { artifacts = [] } = skaffold.profiles.find(({ name }) => name === 'dev')?.build ?? {};
    const expected = [...topology, { name: 'cli' }].map((program) => {
      const args = Object.entries(imageArguments(program)).map(([name, value]) => `${name}=${value}`);
      return {
        image: `stechuhr/${program.name}`,
        buildCommand: `node deploy/image/dev.mjs build ${args.join(' ')}`,
        command: `node deploy/image/dev.mjs files ${program.name}`,
      };
    });
    const found = artifacts.map(({ image, custom }) => ({
      image,
      buildCommand: custom?.buildCommand,
      command: custom?.dependencies.command,
    }));
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining(expected));
  });
});

describe('compose.yaml', () => {
  it('publishes ports only on this machine unless BIND_ADDRESS is set', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published.length).toBeGreaterThan(0);
    for (const port of published) expect(port).toMatch(/^(\$\{BIND_ADDRESS:-127\.0\.0\.1\}|127\.0\.0\.1):/);
  });

  it('contains no passwords', () => {
    const secrets = Object.values(services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([name]) => /SECRET|PASSWORD|TOKEN/.test(name)),
    );
    for (const [name, value] of secrets) expect(`${name}=${value}`).toMatch(/=\$\{\w+:(\?.+|-)\}$/);
  });

  it('disables login to Grafana, whose default password is public', () => {
    const { environment } = services['grafana'] ?? {};
    expect(environment).toMatchObject({
      GF_AUTH_DISABLE_LOGIN_FORM: 'true',
      GF_AUTH_BASIC_ENABLED: 'false',
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
    });
  });

  it('has Prometheus scrape every service under its name', () => {
    const jobs = scraped.scrape_configs.map(({ job_name, static_configs }) => [job_name, static_configs[0]?.targets[0]]);
    expect(jobs.sort()).toEqual(topology.map(({ name }) => [name, `${name}:9464`]).sort());
  });

  it('builds and runs exactly the services of the platform and the command line', () => {
    const built = Object.keys(services).filter((name) => services[name]?.build !== undefined);
    expect(built.sort()).toEqual([...topology.map(({ name }) => name), 'cli'].sort());
  });

  it('gives the command line the addresses of everything that `stechuhr doctor` checks', () => {
    const { environment = {} } = services['cli'] ?? {};
    for (const server of ['mongodb', 'nats', 'redis', 's3'] as const)
      expect(environment[VARIABLE[server]]).toContain(`//${SERVERS[server]}:`);
    const callable = topology.filter(({ serves }) => serves === 'grpc').map(({ name }) => name);
    expect(environment).toMatchObject(
      Object.fromEntries(
        Object.keys(addressVariables(callable, new Map())).map((variable, at) => [variable, `${callable[at] ?? ''}:50051`]),
      ),
    );
    expect(environment['ADMIN_ADDRESSES']).toBe(topology.map(({ name }) => `${name}=${name}:9464`).join(','));
    expect(environment['STECHUHR_URL']).toBe('http://gateway:8080/api/v2');
  });

  it.each(topology)('gives $name the addresses of its peers and servers', (definition) => {
    const { name, needs, calls } = definition;
    const service = services[name];
    const environment = service?.environment ?? {};
    expect(service?.build?.args).toEqual(imageArguments(definition));
    expect(
      Object.keys(environment)
        .filter((variable) => variable.endsWith('_ADDRESS'))
        .sort(),
    ).toEqual(Object.keys(addressVariables(calls, new Map())).sort());
    for (const peer of calls) expect(Object.values(environment)).toContain(`${peer}:50051`);
    for (const need of needs) expect(environment[VARIABLE[need]]).toContain(`//${SERVERS[need]}:`);
    for (const need of needs) expect(Object.keys(service?.depends_on ?? {})).toContain(SERVERS[need]);
    // `records`, `exports` and `daily-reports` drain for 10 s at most, and have 25 s to stop; the gateway has 15 and 10 s.
    expect(service?.stop_grace_period).toBe('40s');
  });
});
