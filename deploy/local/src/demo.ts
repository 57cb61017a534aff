import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, withProgress, type Home, type Log } from '@stechuhr/local-infra';
import type { DemoAccess } from './run-file.js';

const CLI = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));

type Cli = (...args: string[]) => Promise<unknown>;

/** What `stechuhr demo` prints about the organization. */
interface Organization extends Pick<DemoAccess, 'institution_id' | 'account_id'> {
  /** A daily report that has content worth showing. */
  readonly report_id?: string | null;
}

/** How to use the loaded demo organization. */
export interface LoadedDemo {
  readonly access: DemoAccess;
  /** Undefined if the organization has no daily report. */
  readonly reportId: string | undefined;
}

/**
 * Loads the demo organization and issues a token for it. The token of the previous start is revoked.
 * @param variables tell the CLI where the platform is
 */
export async function loadDemo(home: Home, log: Log, variables: NodeJS.ProcessEnv): Promise<LoadedDemo> {
  const cli: Cli = async (...args) => {
    const env = { ...process.env, ...variables, STECHUHR_HOME: home.path };
    return JSON.parse(await runCommand(process.execPath, [CLI, ...args, '--json'], { env }));
  };
  const { institution_id, account_id, report_id } = await withProgress(log, 'loading the demo organization', () =>
    loadOncePerDay(home, cli),
  );
  const token = await replaceToken(cli, account_id, join(home.path, 'demo-token.json'));
  return { access: { institution_id, account_id, token }, reportId: report_id ?? undefined };
}

/** When and where the organization was loaded. */
interface Note extends Organization {
  readonly day: string;
  /** Who provides the database: each provider has data of its own, and a server of the environment has that of others. */
  readonly provider: string | undefined;
}

/**
 * Loads the organization unless that was already done today: its records extend up to the current day, so once a day is enough. The day is
 * noted next to the database files, so that the note is deleted together with the data.
 */
async function loadOncePerDay(home: Home, cli: Cli): Promise<Organization> {
  const folder = home.folder('data', 'mongodb');
  const note = join(folder, 'demo.json');
  const loaded = readJson(note) as Note | undefined;
  const now = { day: new Date().toDateString(), provider: readText(join(folder, 'provider')) };
  const isOurs = now.provider !== 'environment';
  if (isOurs && loaded?.day === now.day && loaded.provider === now.provider) return loaded;
  const { institution_id, account_id, report_id = null } = (await cli('demo')) as Organization;
  writeFileSync(note, JSON.stringify({ institution_id, account_id, report_id, ...now }));
  return { institution_id, account_id, report_id };
}

/** Issues a token and revokes the previous one. The file holds only the id of the token, never the token itself. */
async function replaceToken(cli: Cli, account: string, file: string): Promise<string> {
  const last = readJson(file);
  // Revoking fails if the token was deleted together with the data; then it does not work anyway.
  const revoked = typeof last === 'string' ? cli('tokens', 'revoke', last).catch(() => undefined) : undefined;
  const { id, token } = (await cli('tokens', 'issue', '--account', account, '--name', 'demo')) as { id: string; token: string };
  writeFileSync(file, JSON.stringify(id), { mode: 0o600 });
  await revoked;
  return token;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file) ?? '');
  } catch {
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
