import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Addressing } from './addressing.js';

/** A way in which a service accessed MongoDB. */
export interface LoggedAddressing extends Addressing {
  readonly service: string;
}

const FOLDER = 'STECHUHR_TEST_COMMANDS';
/** The compiled file, because services run outside of Jest. */
const LISTENER = fileURLToPath(new URL('../../dist/mongo-commands/listen.js', import.meta.url));

/** Creates the folder for the command logs of this run. Called by the setup, whose environment the workers inherit. */
export function openCommandLog(): void {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'stechuhr-commands-'));
}

/** Returns the environment variables with which a service logs its MongoDB commands; empty in runs without a log. */
export function commandLogVariables(): Readonly<Record<string, string>> {
  const folder = process.env[FOLDER];
  return folder === undefined ? {} : { [FOLDER]: folder, NODE_OPTIONS: `--import=${pathToFileURL(LISTENER).href}` };
}

/** Returns everything that services of this run have logged. */
export function loggedAddressings(): readonly LoggedAddressing[] {
  const folder = process.env[FOLDER];
  if (folder === undefined) return [];
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return [...new Set(lines)].filter((line) => line !== '').map((line) => JSON.parse(line) as LoggedAddressing);
}

/** Removes the command logs of the run. */
export function removeCommandLog(): void {
  rmSync(process.env[FOLDER] ?? '', { recursive: true, force: true });
}
