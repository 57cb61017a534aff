import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { provideStoreUsers, type StoreAdministrator, type StoreUser } from '@stechuhr/objectstore';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { Output } from '../output.js';
import { untilInterrupted } from '../until-interrupted.js';

export interface StoreUsersOptions {
  readonly file: string;
  readonly watch?: boolean;
}

const users = z.array(z.object({ name: z.string().min(3), secretKey: z.string().min(8), policy: z.record(z.string(), z.unknown()) }));
const store = z.object({
  S3_ENDPOINT: z.url(),
  S3_ACCESS_KEY: z.string(),
  S3_SECRET_KEY: z.string(),
  S3_REGION: z.string().default('us-east-1'),
});

/** A store does not answer while it starts. */
const RETRY_MS = 2_000;
const AGAIN_MS = 60_000;

/** Creates the users of a file; with `--watch`, repeats this until it is stopped. */
export async function runStoreUsers({ file, watch = false }: StoreUsersOptions, output: Output): Promise<number> {
  const wanted = await read(file);
  const administrator = administratorOf(process.env);
  if (!watch) {
    await provideStoreUsers(administrator, wanted);
    output.result(names(wanted), () => described(wanted));
    return 0;
  }
  await untilInterrupted(async (signal) => {
    let last = '';
    while (!signal.aborted) {
      const problem = await provideStoreUsers(administrator, wanted).then(
        () => undefined,
        (caught: unknown) => Failure.fromPlatform(caught).message,
      );
      const said = problem ?? described(wanted);
      if (said !== last) output.note(said);
      last = said;
      await delay(problem === undefined ? AGAIN_MS : RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  });
  return 0;
}

const names = (wanted: readonly StoreUser[]): string[] => wanted.map(({ name }) => name);

const described = (wanted: readonly StoreUser[]): string => `The store has the users ${names(wanted).join(', ')}.`;

async function read(file: string): Promise<readonly StoreUser[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Failure(`${file} cannot be read.`, 2, cause);
  });
  try {
    return users.parse(JSON.parse(text));
  } catch (cause) {
    // The content is not printed, because it contains secrets.
    throw new Failure(`${file} is not a JSON list of {name, secretKey, policy}.`, 2, cause);
  }
}

function administratorOf(environment: NodeJS.ProcessEnv): StoreAdministrator {
  const { success, data } = store.safeParse(environment);
  if (!success) throw new Failure('Set S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY: the store and the key of its administrator.', 2);
  return { endpoint: data.S3_ENDPOINT, region: data.S3_REGION, accessKey: data.S3_ACCESS_KEY, secretKey: data.S3_SECRET_KEY };
}
