import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Platform } from '@stechuhr/local';
import { askForShared, listeningVariables } from '@stechuhr/testing';
import { byErrands, NO_LIMITS, SERVICES, used, type UsedPlatform } from './platform.js';

/** Far from Berlin: nothing may depend on the time zone of a process. */
const ZONE = { TZ: 'America/Los_Angeles' };
/** Without a worker: exports in the background stay as they were asked for. */
const SETTINGS = {
  services: [...SERVICES, 'tasks', 'daily-reports', 'webhooks'],
  env: { ...NO_LIMITS, ...listeningVariables(), ...ZONE },
};

/**
 * The platform that the end-to-end suites of a run share, each with institutions of its own: for suites that only send requests, and judge
 * nothing but their answers. It is started for the first of them and stopped after the run.
 */
export async function sharedPlatform(): Promise<UsedPlatform> {
  const { home, run } = (await askForShared(SETTINGS)) as { readonly home: string; readonly run: Platform['run'] };
  const platform = { ...used(run, home, ZONE), ...byErrands(run) };
  return {
    ...platform,
    importLines(lines) {
      for (const line of lines) if (isInstitution(line)) claim(home, line.id);
      return platform.importLines(lines);
    },
  };
}

function isInstitution(line: object): line is { readonly id: string } {
  return 'kind' in line && line.kind === 'institution';
}

/** @throws when another suite has this institution */
function claim(home: string, institution: string): void {
  const own = expect.getState().testPath ?? '';
  const file = join(home, 'institutions', institution);
  mkdirSync(join(home, 'institutions'), { recursive: true });
  try {
    writeFileSync(file, own, { flag: 'wx' });
  } catch {
    const owner = readFileSync(file, 'utf8');
    if (owner !== own) throw new Error(`The institution ${institution} is that of ${owner}: take another one.`);
  }
}
