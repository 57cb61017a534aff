import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Platform } from '@stechuhr/local';
import { askForShared, commandLogVariables } from '@stechuhr/testing';
import { byErrands, COMPILED, NO_LIMITS, SERVICES, used, type UsedPlatform } from './platform.js';

/** A time zone far from Berlin, because results must not depend on the time zone of the process. */
const ZONE = { TZ: 'America/Los_Angeles' };
/**
 * Settings without a worker, so that background exports remain waiting, and without telemetry, which no suite looks at here and which takes a third of the
 * time of the services.
 */
const SETTINGS = {
  services: [...SERVICES, 'tasks', 'daily-reports', 'webhooks'],
  env: { ...NO_LIMITS, ...COMPILED, ...commandLogVariables(), ...ZONE, OTEL_SDK_DISABLED: 'true' },
};

/**
 * Returns the platform that end-to-end suites of a run share, each with its own institutions. It is for suites that only send requests and
 * check the responses. It is started for the first suite and stopped after the run.
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

/** Reserves an institution for the suite. @throws Error if another suite uses it */
function claim(home: string, institution: string): void {
  const own = expect.getState().testPath ?? '';
  const file = join(home, 'institutions', institution);
  mkdirSync(join(home, 'institutions'), { recursive: true });
  try {
    writeFileSync(file, own, { flag: 'wx' });
  } catch {
    const owner = readFileSync(file, 'utf8');
    if (owner !== own) throw new Error(`The institution ${institution} is already used by ${owner}. Use another number.`);
  }
}
