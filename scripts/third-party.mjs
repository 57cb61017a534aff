// Writes the third-party notices: the licences with their texts of every package that runs in production, including fonts, and the origin
// of pictures. `npm run notice [file]`; with --check it only checks whether the licences permit redistribution.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { productionPackages } from './production-packages.mjs';

/**
 * Licences that only require their text to be included. The LGPL also requires that the library can be replaced, which holds for a separate
 * package.
 */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'LGPL-3.0-or-later', 'MIT'],
  ...['OFL-1.1', 'Python-2.0', 'Unlicense', 'Zlib'],
]);
/** Packages whose package.json names no licence, with the licence that their LICENSE file contains. */
const LICENSES_FROM_FILE = { 'png-js': 'MIT' };
/** Folders with fonts and pictures in the repository, with their origin. */
const OWN_FILES = {
  'libs/demo-firm/pictures/': 'drawn by a program for this demo; nobody else has rights in them (libs/demo-firm/README.md)',
};
const FONT_OR_PICTURE = /\.(ttf|otf|woff2?|png|jpe?g|webp|heic|gif|svg|ico|pdf)$/i;

const packages = productionPackages().map((one) => ({ ...one, license: one.license ?? LICENSES_FROM_FILE[one.name] }));

/** @param {string | undefined} expression SPDX */
const isAllowed = (expression = '') => {
  const ids = expression.replace(/[()]/g, '').split(/ (?:AND|OR) /);
  return ids.every((id) => ALLOWED.has(id));
};

function problems() {
  const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n');
  const unknown = tracked.filter((file) => FONT_OR_PICTURE.test(file) && !Object.keys(OWN_FILES).some((folder) => file.startsWith(folder)));
  return [
    ...packages
      .filter(({ license }) => !isAllowed(license))
      .map(({ name, version, license }) => `${name} ${version}: ${license ?? 'no licence'}`),
    ...unknown.map((file) => `${file}: add its origin to OWN_FILES in scripts/third-party.mjs`),
  ];
}

/** @param {string} folder */
function textsOf(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const texts = files.filter((file) => /^(licen[cs]e|notice|copying|ofl)/i.test(file));
  return texts.sort().map((file) => `--- ${file}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`);
}

function notice() {
  const list = packages.map(({ name, version, license }) => `${name} ${version} (${license})`);
  const texts = packages.map(({ path, name, version, license }) => [`=== ${name} ${version} (${license})`, ...textsOf(path)].join('\n\n'));
  const files = Object.entries(OWN_FILES).map(([folder, whose]) => `${folder}: ${whose}`);
  const intro =
    'Stechuhr contains packages of others, each under its own licence. Packages of other platforms are named without their text.';
  const profile =
    'The colour profile sRGB2014.icc, which pdfkit embeds into reports, is of the International Color Consortium, which allows it to be copied, ' +
    'embedded and distributed without restriction.';
  const others = `Fonts are in packages whose names say so. ${profile} Pictures:\n${files.join('\n')}`;
  return [intro, list.join('\n'), others, ...texts].join('\n\n') + '\n';
}

const found = problems();
for (const problem of found) console.error(problem);
if (found.length > 0) process.exitCode = 1;
else if (!process.argv.includes('--check')) {
  const [file = 'third-party-notices.txt'] = process.argv.slice(2);
  writeFileSync(file, notice());
  console.log(`${file}: ${packages.length} packages`);
}
