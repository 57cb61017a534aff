import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startPlatform, type Platform } from '@stechuhr/local';
import { Home } from '@stechuhr/local-infra';
import { listeningVariables, toNdjson } from '@stechuhr/testing';

/** What `stechuhr import --json` prints. */
interface ImportResult {
  readonly accepted: Readonly<Record<string, number>>;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
}

/** What a command reads from its standard input. */
export type Input = Iterable<string> | AsyncIterable<string>;

/** How a command of the CLI ended. */
export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The whole platform, empty, with its own servers and state; data and tokens come in through the CLI. */
export interface TestPlatform extends Pick<Platform, 'run' | 'service' | 'infra'> {
  readonly baseUrl: string;
  /** State folder, logs included. */
  readonly home: string;
  cli(args: readonly string[], input?: Input): Promise<CliResult>;
  importLines(lines: readonly object[]): Promise<ImportResult>;
  issue(accountId: string, ...options: readonly string[]): Promise<{ readonly id: string; readonly token: string }>;
  issueToken(accountId: string): Promise<string>;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../..');
/** What most tests ask; the others would only cost time. */
const SERVICES = ['records', 'exports', 'absence-rules', 'reviews', 'gateway'];
/** Tests ask more often than clients do. */
export const NO_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '0',
  EXPORT_RATE_LIMIT_PER_MINUTE: '0',
  CONCURRENT_EXPORTS_PER_TOKEN: '0',
  CONCURRENT_EXPORTS: '0',
};

/** What differs from process to process, for tests of that. */
interface OwnSettings {
  readonly services: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly cli: Readonly<Record<string, string>>;
}

/** @param more services that this test asks besides the usual ones */
export async function startTestPlatform(
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
  own: OwnSettings = { services: {}, cli: {} },
): Promise<TestPlatform> {
  // Gone when it is closed; when this run is killed, the next one ends what it started.
  const home = await Home.temporary();
  const services = [...SERVICES, ...more];
  const platform = await startPlatform({
    home,
    own: true,
    services,
    env: { ...NO_LIMITS, ...listeningVariables(), ...env },
    serviceEnv: own.services,
  });
  const cli: TestPlatform['cli'] = (args, input = []) => runCli(args, { ...env, ...own.cli, STECHUHR_HOME: home.path }, input);
  const issue: TestPlatform['issue'] = async (accountId, ...options) => {
    const { stdout, stderr } = await cli(['tokens', 'issue', '--json', '--account', accountId, ...options]);
    if (stdout === '') throw new Error(`No token was issued: ${stderr}`);
    return JSON.parse(stdout) as { id: string; token: string };
  };
  return {
    run: platform.run,
    infra: platform.infra,
    service: platform.service,
    baseUrl: platform.run.base_url,
    home: home.path,
    cli,
    issue,
    issueToken: async (accountId) => (await issue(accountId)).token,
    async importLines(lines) {
      const { stdout, stderr } = await cli(['import', '--json', '-'], [toNdjson(lines)]);
      if (stdout === '') throw new Error(`Nothing was imported: ${stderr}`);
      return JSON.parse(stdout) as ImportResult;
    },
    async stop() {
      await platform.stop();
      await home.close();
    },
  };
}

/** Runs the command line as a process of its own. */
export function runCli(args: readonly string[], env: Readonly<Record<string, string>>, input: Input): Promise<CliResult> {
  const command = ['--import', '@stechuhr/service/telemetry', join(ROOT, 'cli/dist/main.js'), ...args];
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout, stderr });
    });
    // A command that ends early does not read to the end.
    if (child.stdin !== null) pipeline(Readable.from(input, { objectMode: false }), child.stdin).catch(() => undefined);
  });
}
