// Preloaded into processes of the fault tests (`NODE_OPTIONS=--import`): a name that ends in `.replicas` resolves to the addresses in the file with
// that name in NAMES_FOLDER, one per line, like the name of a headless Service.
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
  // Like grpc-js: requests all addresses at once.
  const answer = (name: string, ...options: readonly unknown[]): Promise<unknown> =>
    name.endsWith('.replicas') ? addressesOf(name) : lookUp(name, ...(options as [{ all: true }]));
  Object.assign(promises, { lookup: answer });
}
