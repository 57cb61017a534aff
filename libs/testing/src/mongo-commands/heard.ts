import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Addressing } from './addressing.js';

/** A way in which a service has queried MongoDB. */
export interface HeardAddressing extends Addressing {
  readonly service: string;
}

const FOLDER = 'STECHUHR_TEST_COMMANDS';
/** The compiled file, because services run outside of Jest. */
const LISTENER = fileURLToPath(new URL('../../dist/mongo-commands/listen.js', import.meta.url));

/** Creates the file to which the services of this run write; called by the setup of the run, whose environment workers inherit. */
export function openCommandLog(): void {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'stechuhr-commands-'));
}

/** The variables that make a service log how it queries MongoDB; empty outside of a run that collects this. */
export function listeningVariables(): Readonly<Record<string, string>> {
  const folder = process.env[FOLDER];
  return folder === undefined ? {} : { [FOLDER]: folder, NODE_OPTIONS: `--import=${pathToFileURL(LISTENER).href}` };
}

/** Everything that services have logged in this run so far. */
export function heardAddressings(): readonly HeardAddressing[] {
  const folder = process.env[FOLDER];
  if (folder === undefined) return [];
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return [...new Set(lines)].filter((line) => line !== '').map((line) => JSON.parse(line) as HeardAddressing);
}

/** Removes the log of the run. */
export function removeCommandLog(): void {
  rmSync(process.env[FOLDER] ?? '', { recursive: true, force: true });
}
