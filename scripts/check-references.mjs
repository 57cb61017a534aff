// Compares each package's workspace dependencies with the references of its tsconfig.json. tsc does not check this, and with a missing
// reference a build succeeds only if the other project happens to be built before.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = JSON.parse(readFileSync('package.json', 'utf8'));
const folders = root.workspaces.flatMap((pattern) => globSync(`${pattern}/package.json`)).map((file) => path.dirname(file));
const packages = new Map(folders.map((folder) => [JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).name, folder]));
const problems = [];

/** Returns the folders that a tsconfig.json refers to, relative to the root of the repository. */
function references(folder) {
  const config = JSON.parse(readFileSync(path.join(folder, 'tsconfig.json'), 'utf8'));
  return new Set((config.references ?? []).map((reference) => path.normalize(path.join(folder, reference.path))));
}

for (const [name, folder] of packages) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const wanted = new Set(Object.keys({ ...dependencies, ...devDependencies }).flatMap((dependency) => packages.get(dependency) ?? []));
  const has = references(folder);
  for (const missing of wanted)
    if (!has.has(missing)) problems.push(`${name}: depends on ${missing}, but tsconfig.json does not refer to it`);
  for (const extra of has)
    if (!wanted.has(extra)) problems.push(`${name}: tsconfig.json refers to ${extra}, but package.json does not name it`);
}

const listed = references('.');
for (const folder of folders) if (!listed.has(folder)) problems.push(`the root tsconfig.json does not list ${folder}`);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`references: ${packages.size} packages, dependencies and references agree`);
