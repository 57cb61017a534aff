import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startPlatform, type Platform } from '@stechuhr/local';
import { Home, machineTimeout } from '@stechuhr/local-infra';
import { askForErrand, commandLogVariables, runDoesErrands, toNdjson } from '@stechuhr/testing';

/** The output of `stechuhr import --json`. */
interface ImportResult {
  readonly accepted: Readonly<Record<string, number>>;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly warnings: readonly { readonly message: string }[];
}

/** The standard input of a command. */
export type Input = Iterable<string> | AsyncIterable<string>;

/** The result of a CLI command. */
export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a new token, as in the command line. */
export interface WantedToken {
  readonly name?: string;
  /** Scopes; all by default. */
  readonly scopes?: readonly string[];
  /** Local time, Europe/Berlin. */
  readonly expiresAt?: string;
}

/** A platform for suites that do not stop or configure services. Data and tokens are created through the CLI. */
export interface UsedPlatform extends Pick<Platform, 'run'> {
  readonly baseUrl: string;
  cli(args: readonly string[], input?: Input): Promise<CliResult>;
  importLines(lines: readonly object[]): Promise<ImportResult>;
  issue(accountId: string, wanted?: WantedToken): Promise<{ readonly id: string; readonly token: string }>;
  issueToken(accountId: string): Promise<string>;
}

/** An empty platform with its own servers and state, for a single suite. */
export interface TestPlatform extends UsedPlatform, Pick<Platform, 'service' | 'infra'> {
  /** State folder, which contains the logs. */
  readonly home: string;
  /** The database of the tokens. */
  readonly gatewayDatabase: string;
  stop(): Promise<void>;
}

const DEFAULT_GATEWAY_DATABASE = 'stechuhr_gateway';
const ROOT = join(import.meta.dirname, '../../..');
/** Services that most tests need; starting the others would only take time. */
export const SERVICES = ['records', 'exports', 'absence-rules', 'reviews', 'gateway'];
/** Disables rate limits, because tests send more requests than clients. */
export const NO_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '0',
  EXPORT_RATE_LIMIT_PER_MINUTE: '0',
  CONCURRENT_EXPORTS_PER_TOKEN: '0',
  CONCURRENT_EXPORTS: '0',
};

const { NODE_COMPILE_CACHE } = process.env;
/** Services load compiled code from the cache of the run, which takes a fifth of a second of CPU time less than compiling it in each process. */
export const COMPILED: Readonly<Record<string, string>> = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** Settings of single services or servers. */
interface OwnSettings {
  readonly services?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly cli?: Readonly<Record<string, string>>;
  /** Whether the platform has a separate MongoDB, for suites that read all of its data; or the address of one. */
  readonly mongodb?: boolean | string;
}

/** Enables telemetry, for suites that check spans or metrics. Loading it takes a third of the start. */
export const WITH_TELEMETRY = { OTEL_SDK_DISABLED: 'false' };

/**
 * Starts a platform for one suite, with the MongoDB of the test run and its own other servers. It is for suites that stop or configure
 * services, count their work, or inspect servers and logs. Other suites share a platform (`shared-platform.ts`), which takes a tenth of the
 * time.
 *
 * @param more services in addition to the usual ones
 */
export async function startTestPlatform(
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
  own: OwnSettings = {},
): Promise<TestPlatform> {
  // The home is removed when it is closed. If this run is killed, the next run ends its processes.
  const home = await Home.temporary();
  const services = [...SERVICES, ...more];
  const mongo = mongoFor(services, own.mongodb);
  const platform = await startPlatform({
    home,
    own: true,
    services,
    running: mongo?.address ?? {},
    env: { ...NO_LIMITS, ...COMPILED, ...commandLogVariables(), ...(isObserved(env) ? {} : { OTEL_SDK_DISABLED: 'true' }), ...env },
    serviceEnv: Object.fromEntries(services.map((name) => [name, { ...mongo?.services[name], ...own.services?.[name] }])),
  });
  return {
    ...used(platform.run, home.path, { ...env, ...mongo?.cli, ...own.cli }),
    ...(own.cli === undefined && !isTraced(env) && runDoesErrands() ? byErrands(platform.run, mongo?.cli.GATEWAY_DATABASE) : {}),
    infra: platform.infra,
    service: platform.service,
    home: home.path,
    gatewayDatabase: mongo?.cli.GATEWAY_DATABASE ?? DEFAULT_GATEWAY_DATABASE,
    async stop() {
      await platform.stop();
      await home.close();
    },
  };
}

function isObserved(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).some((name) => name.startsWith('OTEL_'));
}

interface MongoSettings {
  readonly address: Readonly<Record<string, string>>;
  readonly services: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly cli: { readonly GATEWAY_DATABASE?: string };
}

/** Returns settings for the MongoDB of a platform; undefined if it has a separate one. */
function mongoFor(services: readonly string[], mongodb: OwnSettings['mongodb'] = false): MongoSettings | undefined {
  if (typeof mongodb === 'string') return { address: { MONGODB_URL: mongodb }, services: {}, cli: {} };
  return mongodb ? undefined : databasesOfRun(services);
}

/** Returns settings for the MongoDB of the test run, with database names that are unique to the suite. */
function databasesOfRun(services: readonly string[]): MongoSettings | undefined {
  const url = process.env.STECHUHR_TEST_MONGODB_URL;
  if (url === undefined) return undefined;
  const prefix = `test_${randomBytes(4).toString('hex')}`;
  const databaseOf = (name: string) => `${prefix}_${name.replaceAll('-', '_')}`;
  return {
    address: { MONGODB_URL: url },
    services: Object.fromEntries(services.map((name) => [name, { MONGODB_DATABASE: databaseOf(name) }])),
    cli: { GATEWAY_DATABASE: databaseOf('gateway') },
  };
}

/** Returns a platform whose CLI commands run as processes. @param env variables of the CLI in addition to those of this process */
export function used(run: Platform['run'], home: string, env: Readonly<Record<string, string>>): UsedPlatform {
  const cli: UsedPlatform['cli'] = (args, input = []) => runCli(args, { ...env, STECHUHR_HOME: home }, input);
  const issue: UsedPlatform['issue'] = async (accountId, { name, scopes, expiresAt } = {}) => {
    const options = { '--account': accountId, '--name': name, '--scopes': scopes?.join(','), '--expires-at': expiresAt };
    const given = Object.entries(options).flatMap(([option, value]) => (value === undefined ? [] : [option, value]));
    const { stdout, stderr } = await cli(['tokens', 'issue', '--json', ...given]);
    if (stdout === '') throw new Error(`No token was issued: ${stderr}`);
    return JSON.parse(stdout) as { id: string; token: string };
  };
  return {
    run,
    baseUrl: run.base_url,
    cli,
    issue,
    issueToken: async (accountId) => (await issue(accountId)).token,
    async importLines(lines) {
      const { stdout, stderr } = await cli(['import', '--json', '-'], [toNdjson(lines)]);
      if (stdout === '') throw new Error(`Nothing was imported: ${stderr}`);
      return JSON.parse(stdout) as ImportResult;
    },
  };
}

/** Like {@link used}, but issues tokens and imports without a process for each command (tests/errands.mjs). */
export function byErrands(
  run: Platform['run'],
  database = DEFAULT_GATEWAY_DATABASE,
): Pick<UsedPlatform, 'issue' | 'issueToken' | 'importLines'> {
  const addresses = Object.fromEntries(Object.entries(run.services).map(([name, { grpc }]) => [name, grpc]));
  const { mongodb: mongodbUrl, redis: redisUrl } = run.infra;
  const stores = { mongodbUrl, database, redisUrl, recordsAddress: addresses['records'] };
  const issue: UsedPlatform['issue'] = async (accountId, { name, scopes, expiresAt } = {}) => {
    const request = { accountId, name: name ?? null, scopes: scopes ?? null, strict: false, expiresAt: expiresAt ?? null };
    return (await askForErrand('issueToken', { stores, request })) as { id: string; token: string };
  };
  return {
    issue,
    issueToken: async (accountId) => (await issue(accountId)).token,
    importLines: async (lines) => (await askForErrand('importLines', { addresses, lines: toNdjson(lines) })) as ImportResult,
  };
}

function isTraced(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => name.startsWith('OTEL_EXPORTER_OTLP_'));
}

/** Time limit of a command, far below that of a test, so that the output of a hanging command is shown. */
const COMMAND_MS = 120_000;

/** Runs the command line as a separate process. @throws Error with its output if it does not end in time */
export function runCli(args: readonly string[], env: Readonly<Record<string, string>>, input: Input): Promise<CliResult> {
  // Like in scripts/bootstrap.mjs, telemetry is loaded only if spans are exported, because that takes longer than most commands.
  const command = [
    ...(isTraced({ ...process.env, ...env }) ? ['--import', '@stechuhr/service/telemetry'] : []),
    join(ROOT, 'cli/dist/main.js'),
    ...args,
  ];
  return new Promise((resolve, reject) => {
    const options = { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, command, options, (error, stdout, stderr) => {
      forget();
      if (error?.killed === true) reject(new Error(`stechuhr ${args.join(' ')} did not end in time:\n${stderr}`));
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout, stderr });
    });
    const forget = machineTimeout(() => child.kill(), COMMAND_MS);
    // A command that ends early does not read all of its input.
    if (child.stdin !== null) pipeline(Readable.from(input, { objectMode: false }), child.stdin).catch(() => undefined);
  });
}
