import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, withProgress, type Home, type Log } from '@stechuhr/local-infra';
import type { DemoAccess } from './run-file.js';

const CLI = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));

type Cli = (...args: string[]) => Promise<unknown>;

/** The result of the CLI for the organization. */
interface Organization extends Pick<DemoAccess, 'institution_id' | 'account_id'> {
  /** A daily report worth looking at. */
  readonly report_id?: string | null;
}

/** The demo organization after loading. */
export interface LoadedDemo {
  readonly access: DemoAccess;
  /** Undefined if it has no daily report. */
  readonly reportId: string | undefined;
}

/**
 * Loads the demo organization and issues a token for it; the token of the last start is revoked. Takes the variables through which the CLI finds the
 * platform.
 */
export async function loadDemo(home: Home, log: Log, variables: NodeJS.ProcessEnv): Promise<LoadedDemo> {
  const cli: Cli = async (...args) => {
    const env = { ...process.env, ...variables, STECHUHR_HOME: home.path };
    return JSON.parse(await runCommand(process.execPath, [CLI, ...args, '--json'], { env }));
  };
  const { institution_id, account_id, report_id } = await withProgress(log, 'loading the demo organization', () => loadedToday(home, cli));
  const token = await freshToken(cli, account_id, join(home.path, 'demo-token.json'));
  return { access: { institution_id, account_id, token }, reportId: report_id ?? undefined };
}

/** The demo ends with today, so it is loaded once a day. The date is stored with the data, and deleted with it. */
async function loadedToday(home: Home, cli: Cli): Promise<Organization> {
  const note = join(home.folder('data', 'mongodb'), 'demo.json');
  const loaded = readJson(note) as (Organization & { day: string }) | undefined;
  const day = new Date().toDateString();
  const isOurs = process.env['MONGODB_URL'] === undefined;
  if (isOurs && loaded?.day === day) return loaded;
  const { institution_id, account_id, report_id = null } = (await cli('demo')) as Organization;
  writeFileSync(note, JSON.stringify({ institution_id, account_id, report_id, day }));
  return { institution_id, account_id, report_id };
}

/** The file contains the id of the last token, never the token itself. */
async function freshToken(cli: Cli, account: string, file: string): Promise<string> {
  const last = readJson(file);
  // It may have disappeared with its data; what matters is that it no longer works.
  const revoked = typeof last === 'string' ? cli('tokens', 'revoke', last).catch(() => undefined) : undefined;
  const { id, token } = (await cli('tokens', 'issue', '--account', account, '--name', 'demo')) as { id: string; token: string };
  writeFileSync(file, JSON.stringify(id), { mode: 0o600 });
  await revoked;
  return token;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
