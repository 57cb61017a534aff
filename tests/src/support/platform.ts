import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startPlatform, type Platform } from '@stechuhr/local';
import { Home, machineTimeout } from '@stechuhr/local-infra';
import { askForErrand, listeningVariables, runDoesErrands, toNdjson } from '@stechuhr/testing';

/** What `stechuhr import --json` prints. */
interface ImportResult {
  readonly accepted: Readonly<Record<string, number>>;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly warnings: readonly { readonly message: string }[];
}

/** What a command reads from its standard input. */
export type Input = Iterable<string> | AsyncIterable<string>;

/** How a command of the CLI ended. */
export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a token is to be; as the command line takes it. */
export interface WantedToken {
  readonly name?: string;
  /** All by default. */
  readonly scopes?: readonly string[];
  /** Local time, Europe/Berlin. */
  readonly expiresAt?: string;
}

/** A platform, as a suite uses it that leaves it as it is; data and tokens come in through the CLI. */
export interface UsedPlatform extends Pick<Platform, 'run'> {
  readonly baseUrl: string;
  cli(args: readonly string[], input?: Input): Promise<CliResult>;
  importLines(lines: readonly object[]): Promise<ImportResult>;
  issue(accountId: string, wanted?: WantedToken): Promise<{ readonly id: string; readonly token: string }>;
  issueToken(accountId: string): Promise<string>;
}

/** The whole platform, empty, with its own servers and state, for one suite alone. */
export interface TestPlatform extends UsedPlatform, Pick<Platform, 'service' | 'infra'> {
  /** State folder, logs included. */
  readonly home: string;
  /** The database of the tokens. */
  readonly gatewayDatabase: string;
  stop(): Promise<void>;
}

const DEFAULT_GATEWAY_DATABASE = 'stechuhr_gateway';
const ROOT = join(import.meta.dirname, '../../..');
/** What most tests ask; the others would only cost time. */
export const SERVICES = ['records', 'exports', 'absence-rules', 'reviews', 'gateway'];
/** Tests ask more often than clients do. */
export const NO_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '0',
  EXPORT_RATE_LIMIT_PER_MINUTE: '0',
  CONCURRENT_EXPORTS_PER_TOKEN: '0',
  CONCURRENT_EXPORTS: '0',
};

/** What differs from process to process, for tests of that. */
interface OwnSettings {
  readonly services?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly cli?: Readonly<Record<string, string>>;
  /** A MongoDB of its own, for suites that look at all that it holds. */
  readonly mongodb?: boolean;
}

/** Loading it costs a third of a start: for suites that look at spans or metrics. */
export const WITH_TELEMETRY = { OTEL_SDK_DISABLED: 'false' };

/**
 * Starts a platform for one suite, on the run's MongoDB and other servers of its own: for suites that end or configure services, count what
 * they do, or look into servers and logs. Others share one (`shared-platform.ts`), which costs a tenth.
 *
 * @param more services that this test asks besides the usual ones
 */
export async function startTestPlatform(
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
  own: OwnSettings = {},
): Promise<TestPlatform> {
  // Gone when it is closed; when this run is killed, the next one ends what it started.
  const home = await Home.temporary();
  const services = [...SERVICES, ...more];
  const mongo = own.mongodb === true ? undefined : databasesOfRun(services);
  const platform = await startPlatform({
    home,
    own: true,
    services,
    running: mongo?.address ?? {},
    env: { ...NO_LIMITS, ...listeningVariables(), ...(isObserved(env) ? {} : { OTEL_SDK_DISABLED: 'true' }), ...env },
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

/** The MongoDB of the run, with databases that no other suite has. */
function databasesOfRun(services: readonly string[]) {
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

/** @param env the variables of the CLI besides those of this process */
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

/** The same without a process for each token and import (tests/errands.mjs). */
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

/** Far shorter than a test may take, so that one that hangs shows what the command said last. */
const COMMAND_MS = 120_000;

/** Runs the command line as a process of its own. @throws with what it said when it does not end */
export function runCli(args: readonly string[], env: Readonly<Record<string, string>>, input: Input): Promise<CliResult> {
  // As scripts/bootstrap.mjs does: loading it takes longer than most commands, so only where spans are exported.
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
    // A command that ends early does not read to the end.
    if (child.stdin !== null) pipeline(Readable.from(input, { objectMode: false }), child.stdin).catch(() => undefined);
  });
}
