// Writes what runs in production as a CycloneDX document: npm's own, because it reads the lockfile that is installed from, and needs no
// package of its own. `npm run sbom [file]`
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { npm } from './bootstrap/node24.mjs';

const [file = 'sbom.cdx.json'] = process.argv.slice(2);
const [command, ...args] = npm(process.execPath);
const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev', '--loglevel=error'];
const document = JSON.parse(execFileSync(command, [...args, ...options], { encoding: 'utf8', maxBuffer: 1 << 27 }));
// It would take the name of the folder.
document.metadata.component.name = 'stechuhr';
writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
console.log(`${file}: ${document.components.length} components`);
