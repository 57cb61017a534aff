// Writes the packages that run in production as a CycloneDX document: `npm run sbom [file]`. With `--check` it writes nothing and compares
// the document with the lockfile. `npm sbom` creates it, because that needs no further package. Its `--omit dev` would drop packages that
// one workspace needs in production and another only for tests, so the document is filtered here.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { npm } from './bootstrap/node24.mjs';
import { productionPackages } from './production-packages.mjs';

const [file = 'sbom.cdx.json'] = process.argv.slice(2);
const production = productionPackages();
const [command, ...args] = npm(process.execPath);
const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--loglevel=error'];
const document = JSON.parse(execFileSync(command, [...args, ...options], { encoding: 'utf8', maxBuffer: 1 << 27 }));
const root = document.metadata.component;
const ours = document.components
  .filter(({ purl }) => /^pkg:npm\/%40stechuhr\/|\/stechuhr@/.test(purl))
  .map((component) => component['bom-ref']);
const kept = new Set([root['bom-ref'], ...ours, ...production.map(({ name, version }) => `${name}@${version}`)]);
document.components = document.components.filter((component) => kept.has(component['bom-ref']));
document.dependencies = document.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((needed) => kept.has(needed)) }));
// By default this is the name of the folder.
root.name = 'stechuhr';
if (file === '--check') check();
else {
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
  console.log(`${file}: ${document.components.length} components`);
}

/** Checks that the document contains exactly the installed production packages, each with its address and hash. */
function check() {
  const foreign = new Map(
    document.components.filter((component) => !ours.includes(component['bom-ref'])).map((one) => [one['bom-ref'], one]),
  );
  const expected = new Set(production.filter(({ path }) => existsSync(path)).map(({ name, version }) => `${name}@${version}`));
  const problems = [
    ...(document.bomFormat === 'CycloneDX' ? [] : ['it is not a CycloneDX document']),
    ...[...expected].filter((id) => !foreign.has(id)).map((id) => `${id} is missing`),
    ...[...foreign.keys()].filter((id) => !expected.has(id)).map((id) => `${id} is not a production package`),
    ...[...foreign].filter(([, { purl, hashes }]) => !purl || !hashes?.length).map(([id]) => `${id} has no address or no hash`),
  ];
  if (problems.length === 0) return;
  console.error(`The bill of materials is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  process.exitCode = 1;
}
