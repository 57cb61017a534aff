// Removes the results of the build: output, generated code and stamps. Installed packages and the data of `npm start` are kept.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = ['libs', 'services', 'deploy'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)));
const made = [...packages, 'cli', 'tests', 'bench', 'bench/peers', 'clients/typescript'].flatMap((folder) => [
  join(folder, 'dist'),
  join(folder, 'dist-test'),
]);
const descriptions = readdirSync(join(root, 'protos')).filter((name) => name.endsWith('.binpb'));
made.push(...descriptions.map((name) => join('protos', name)), 'libs/contracts/src/gen', '.cache', 'coverage');
for (const path of made) rmSync(join(root, path), { recursive: true, force: true });
