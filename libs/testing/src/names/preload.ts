// Preloaded by processes of the fault campaign (`NODE_OPTIONS=--import`). Names that end in `.replicas` resolve to the addresses in the
// file of that name in NAMES_FOLDER, one per line, like a headless Service resolves to its replicas.
import { promises, type LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const { NAMES_FOLDER = '' } = process.env;
const lookUp = promises.lookup;

async function addressesOf(name: string): Promise<readonly LookupAddress[]> {
  const lines = (await readFile(join(NAMES_FOLDER, name), 'utf8')).split('\n').filter(Boolean);
  if (lines.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  return lines.map((address) => ({ address, family: 4 }));
}

if (NAMES_FOLDER !== '') {
  // grpc-js always requests all addresses.
  const answer = (name: string, ...options: readonly unknown[]): Promise<unknown> =>
    name.endsWith('.replicas') ? addressesOf(name) : lookUp(name, ...(options as [{ all: true }]));
  Object.assign(promises, { lookup: answer });
}
