import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

/** What an operation of the client is given. */
export interface Given {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** What it answers; `error` in the place of `data` where the status says so. */
export interface Answered {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** A client that was generated from a document; its methods are named by operation ids. */
export interface GeneratedClient {
  readonly operations: readonly string[];
  call(operation: string, given?: Given): Promise<Answered>;
}

type Method = (options: object) => Promise<Answered>;

/** Generates a client as integrators do, and loads it. */
export async function generateClient(document: object, token: string): Promise<GeneratedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-client-'));
  try {
    const input = join(folder, 'openapi.json');
    await writeFile(input, JSON.stringify(document));
    const output = { path: join(folder, 'client'), module: { extension: '.js' } };
    await createClient({
      input,
      output,
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    });
    const methods = (await import(join(folder, 'client', 'sdk.gen.ts'))) as Readonly<Record<string, Method>>;
    const auth = () => `Token ${token}`;
    return {
      operations: Object.keys(methods),
      async call(operation, given = {}) {
        const method = methods[operation];
        if (method === undefined) throw new Error(`The client has no ${operation}.`);
        return method({ ...given, auth });
      },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
