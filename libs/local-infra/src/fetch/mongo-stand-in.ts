import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';
import { checkJdk, mavenJars } from './maven-jars.js';

const PROJECT = fileURLToPath(new URL('../../mongo-stand-in/', import.meta.url));

/** The class path of the MongoDB stand-in: its libraries, downloaded with Maven and verified by checksum, and its compiled sources. */
export async function fetchStandIn(cache: Cache): Promise<string> {
  const folder = await cached(cache, {
    name: `mongo-stand-in-${standInFingerprint()}`,
    what: 'fetching the MongoDB stand-in by Maven',
    make,
  });
  return [join(folder, 'classes'), join(folder, 'jars', '*')].join(delimiter);
}

async function make(folder: string): Promise<void> {
  await checkJdk();
  const classes = join(folder, 'classes');
  mkdirSync(classes);
  const jars = await mavenJars(PROJECT, folder);
  // Compiled once, so that starting a server does not wait for the compiler.
  await runCommand('javac', ['-nowarn', '-encoding', 'UTF-8', '-d', classes, '-cp', join(jars, '*'), ...sources()]);
}

function sources(): string[] {
  const folder = join(PROJECT, 'src');
  return readdirSync(folder).map((name) => join(folder, name));
}

/** A hash of the sources and of what they are compiled with. It changes with the sources, so that a new version is compiled next to the old one. */
export function standInFingerprint(): string {
  const hash = createHash('sha256');
  for (const file of [join(PROJECT, 'pom.xml'), join(PROJECT, 'jars.sha256'), ...sources().sort()]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
