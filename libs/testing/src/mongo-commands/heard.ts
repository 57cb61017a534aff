import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Addressing } from './addressing.js';

/** A way in which a service addressed MongoDB. */
export interface HeardAddressing extends Addressing {
  readonly service: string;
}

const FOLDER = 'STECHUHR_TEST_COMMANDS';
/** Compiled, because services run outside Jest. */
const LISTENER = fileURLToPath(new URL('../../dist/mongo-commands/listen.js', import.meta.url));

/** Where the services of this run write; for the setup of the run, whose environment its workers inherit. */
export function openCommandLog(): void {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'stechuhr-commands-'));
}

/** The variables with which a service writes down how it addresses MongoDB; none outside a run that listens. */
export function listeningVariables(): Readonly<Record<string, string>> {
  const folder = process.env[FOLDER];
  return folder === undefined ? {} : { [FOLDER]: folder, NODE_OPTIONS: `--import=${pathToFileURL(LISTENER).href}` };
}

/** Everything that services wrote down up to now in this run. */
export function heardAddressings(): readonly HeardAddressing[] {
  const folder = process.env[FOLDER];
  if (folder === undefined) return [];
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return [...new Set(lines)].filter((line) => line !== '').map((line) => JSON.parse(line) as HeardAddressing);
}

/** Ends the listening of the run. */
export function removeCommandLog(): void {
  rmSync(process.env[FOLDER] ?? '', { recursive: true, force: true });
}
