import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';
import { verifyChecksum } from './checksum.js';

const PROJECT = fileURLToPath(new URL('../../mongo-stand-in/', import.meta.url));
const OLDEST_JAVA = 17;

/** The class path of the MongoDB stand-in: its libraries by Maven, compared with known checksums, and its compiled sources. */
export async function fetchStandIn(cache: Cache): Promise<string> {
  await checkJava();
  const folder = await cached(cache, { name: `mongo-stand-in-${fingerprint()}`, what: 'fetching the MongoDB stand-in by Maven', make });
  return [join(folder, 'classes'), join(folder, 'jars', '*')].join(delimiter);
}

async function make(folder: string): Promise<void> {
  const [jars, classes] = [join(folder, 'jars'), join(folder, 'classes')];
  mkdirSync(classes);
  // Maven writes next to the pom, and the sources may be in a read-only place.
  cpSync(join(PROJECT, 'pom.xml'), join(folder, 'pom.xml'));
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
  await runCommand('mvn', ['--quiet', '--batch-mode', ...goal], { cwd: folder, timeoutMs: 300_000 });
  verifyJars(jars);
  // Compiled once: the start of a server does not have to wait for the compiler.
  await runCommand('javac', ['-nowarn', '-d', classes, '-cp', join(jars, '*'), ...sources()]);
}

/** Each line of the list is `<sha256>  <file>`, as sha256sum writes it; a jar that is not listed is not accepted either. */
function verifyJars(folder: string): void {
  const known = new Map(
    readFileSync(join(PROJECT, 'jars.sha256'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).reverse() as [string, string]),
  );
  for (const jar of readdirSync(folder)) verifyChecksum(join(folder, jar), known.get(jar) ?? 'that of a listed file');
}

async function checkJava(): Promise<void> {
  const printed = await runCommand('javac', ['-version'], { timeoutMs: 20_000 });
  const major = Number(/javac (\d+)/.exec(printed)?.[1] ?? 0);
  if (major < OLDEST_JAVA) throw new Error(`the JDK is older than ${OLDEST_JAVA}`);
}

function sources(): string[] {
  const folder = join(PROJECT, 'src');
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Changes with the sources: a new version is compiled next to the old one. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of [join(PROJECT, 'pom.xml'), join(PROJECT, 'jars.sha256'), ...sources().sort()]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
