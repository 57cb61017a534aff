// Writes what runs in production as a CycloneDX document: npm's own, because it needs no package beside the one that installs. Its `--omit dev`
// leaves out what one workspace needs and another only tests with, so what is kept is decided here. `npm run sbom [file]`
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { npm } from './bootstrap/node24.mjs';
import { productionPackages } from './production-packages.mjs';

const [file = 'sbom.cdx.json'] = process.argv.slice(2);
const [command, ...args] = npm(process.execPath);
const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--loglevel=error'];
const document = JSON.parse(execFileSync(command, [...args, ...options], { encoding: 'utf8', maxBuffer: 1 << 27 }));
const root = document.metadata.component;
const ours = document.components
  .filter(({ purl }) => /^pkg:npm\/%40stechuhr\/|\/stechuhr@/.test(purl))
  .map((component) => component['bom-ref']);
const kept = new Set([root['bom-ref'], ...ours, ...productionPackages().map(({ name, version }) => `${name}@${version}`)]);
document.components = document.components.filter((component) => kept.has(component['bom-ref']));
document.dependencies = document.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((needed) => kept.has(needed)) }));
// It would be the name of the folder.
root.name = 'stechuhr';
writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
console.log(`${file}: ${document.components.length} components`);
