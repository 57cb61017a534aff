import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Infra } from '@stechuhr/local-infra';
import type { Ready } from './log-line.js';
import type { ObservedAt } from './observe/observation.js';

/** How to use the demo organization. */
export interface DemoAccess {
  readonly institution_id: string;
  readonly account_id: string;
  readonly token: string;
}

/** `run.json`, in which the CLI, tests and people find the addresses of the platform. It exists only while the platform is ready. */
export interface RunFile {
  readonly ready: true;
  readonly pid: number;
  readonly base_url: string;
  readonly demo: DemoAccess | null;
  readonly services: Readonly<Record<string, Ready>>;
  /** Only if the platform was started with `--observe`. */
  readonly observe?: ObservedAt;
  readonly infra: {
    readonly mongodb: string;
    readonly nats: string;
    readonly redis: string;
    readonly s3: { readonly endpoint: string; readonly access_key: string; readonly secret_key: string; readonly bucket: string };
  };
}

const pathIn = (home: string): string => join(home, 'run.json');

/** Returns the part of `run.json` that has the addresses of the servers. */
export function infraOf({ mongodbUrl, natsUrl, redisUrl, s3 }: Infra): RunFile['infra'] {
  const { endpoint, accessKey, secretKey, bucket } = s3;
  return { mongodb: mongodbUrl, nats: natsUrl, redis: redisUrl, s3: { endpoint, access_key: accessKey, secret_key: secretKey, bucket } };
}

/** Writes the file atomically, readable only by this user because it contains a token. */
export function writeRunFile(home: string, run: RunFile): void {
  const draft = `${pathIn(home)}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, pathIn(home));
}

/** Removes the file, so that the platform counts as stopped. */
export function removeRunFile(home: string): void {
  rmSync(pathIn(home), { force: true });
}
