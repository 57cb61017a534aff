// Sets the version of every package, of the chart and of the unreleased changes in CHANGELOG.md: `npm run release -- 0.2.0`. It prints the
// remaining manual steps; pushing the tag publishes the release (.github/workflows/release.yaml).
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('usage: npm run release -- <major.minor.patch>');
  process.exit(2);
}
const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));

/** @param {string} file @param {(text: string) => string} change */
function rewrite(file, change) {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${file} does not contain version ${current}`);
  writeFileSync(file, changed);
}

const quoted = current.replaceAll('.', '\\.');
const own = new RegExp(`("(?:version|@stechuhr/[\\w-]+)": ")${quoted}"`, 'g');
const manifests = execFileSync('git', ['ls-files', 'package.json', '*/package.json'], { encoding: 'utf8' }).trim().split('\n');
for (const file of manifests.filter((path) => !path.includes('fixture'))) rewrite(file, (text) => text.replace(own, `$1${version}"`));
for (const file of ['package-lock.json', 'bench/peers/package-lock.json']) {
  const lock = JSON.parse(readFileSync(file, 'utf8').replace(new RegExp(`("@stechuhr/[\\w-]+": ")${quoted}"`, 'g'), `$1${version}"`));
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) if (!path.includes('node_modules/') && entry.version) entry.version = version;
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
}
rewrite('helm/stechuhr/Chart.yaml', (text) => text.replace(new RegExp(`^(version|appVersion): ${quoted}$`, 'gm'), `$1: ${version}`));
// The next version must not break clients of this API.
copyFileSync('docs/openapi.json', 'docs/openapi-released.json');
writeFileSync(
  'docs/openapi-accepted.txt',
  '# Additions that oasdiff counts as breaking and that were accepted since the last release; emptied with a release.\n',
);
const today = new Date().toISOString().slice(0, 10);
rewrite('CHANGELOG.md', (text) => text.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} (${today})\n`));
console.log(`npm run docs && npm run check
git commit --all --message 'build: release ${version}' && git tag v${version}`);
