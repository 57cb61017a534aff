// Validates daily reports of all kinds with veraPDF against PDF/A-2b (ISO 19005-2). If Java or Maven is missing, it prints that and
// succeeds.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pdfSamples } from '../libs/report-pdf/dist/test/samples.js';

const SOURCES = join('scripts', 'verapdf');
const LIBRARIES = join('node_modules', '.cache', 'verapdf');

/** @param {string} command @param {readonly string[]} args */
const run = (command, args) => spawnSync(command, args, { encoding: 'utf8' });

const missing = ['java', 'mvn'].filter((command) => run(command, ['-version']).status !== 0);
if (missing.length > 0) {
  console.log(`PDFs were not validated: ${missing.join(' and ')} not found.`);
  process.exit(0);
}
if (!existsSync(LIBRARIES)) {
  const pom = join(SOURCES, 'pom.xml');
  const fetched = run('mvn', [
    '-q',
    '-B',
    '-f',
    pom,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${join(process.cwd(), LIBRARIES)}`,
  ]);
  if (fetched.status !== 0) {
    rmSync(LIBRARIES, { recursive: true, force: true });
    console.error(`veraPDF could not be fetched:\n${fetched.stdout}${fetched.stderr}`);
    process.exit(1);
  }
}
const folder = mkdtempSync(join(tmpdir(), 'stechuhr-pdf-'));
try {
  const files = [];
  for await (const { name, bytes } of pdfSamples()) {
    const file = join(folder, `${name}.pdf`);
    writeFileSync(file, bytes);
    files.push(file);
  }
  const validated = run('java', ['-cp', join(LIBRARIES, '*'), join(SOURCES, 'Validate.java'), ...files]);
  if (validated.status !== 0) {
    console.error(validated.stdout + validated.stderr);
    process.exitCode = 1;
  } else console.log(`${String(files.length)} PDFs are PDF/A-2b.`);
} finally {
  rmSync(folder, { recursive: true });
}
