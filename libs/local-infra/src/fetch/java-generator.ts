import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../process/run-command.js';
import { cached, type Cache } from './cached.js';
import { checkJdk, mavenJars } from './maven-jars.js';

const PROJECT = fileURLToPath(new URL('../../java-tools/openapi-generator/', import.meta.url));

/** The generator of Java clients. */
export interface JavaGenerator {
  /** Started with `java -jar`. */
  readonly jar: string;
  /** Libraries needed to compile and run its clients. */
  readonly libraries: readonly string[];
}

/** Downloads openapi-generator and the libraries of its clients with Maven and verifies their checksums. */
export async function javaGenerator(cache: Cache): Promise<JavaGenerator> {
  await checkJdk();
  await runCommand('mvn', ['--version'], { timeoutMs: 60_000 });
  const folder = await cached(cache, {
    name: `openapi-generator-${fingerprint()}`,
    what: 'fetching openapi-generator by Maven',
    make: async (draft) => void (await mavenJars(PROJECT, draft)),
  });
  const jars = readdirSync(join(folder, 'jars')).map((name) => join(folder, 'jars', name));
  const jar = jars.find((path) => path.includes('openapi-generator-cli'));
  if (jar === undefined) throw new Error(`${folder} has no openapi-generator`);
  return { jar, libraries: jars.filter((path) => path !== jar) };
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of ['pom.xml', 'jars.sha256']) hash.update(readFileSync(join(PROJECT, name)));
  return hash.digest('hex').slice(0, 12);
}
