import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MissingProgram, runCommand } from '../process/run-command.js';
import { verifyChecksum } from './checksum.js';

const OLDEST_JAVA = 17;
const FETCH_TIMEOUT_MS = 300_000;

/** Copies the dependencies of `<project>/pom.xml` to `<folder>/jars` and compares them with the checksums in `<project>/jars.sha256`. */
export async function mavenJars(project: string, folder: string): Promise<string> {
  const jars = join(folder, 'jars');
  // Maven writes next to the pom, and the project's folder may be read-only.
  cpSync(join(project, 'pom.xml'), join(folder, 'pom.xml'));
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
  await runCommand('mvn', ['--quiet', '--batch-mode', ...goal], { cwd: folder, timeoutMs: FETCH_TIMEOUT_MS });
  verifyJars(project, jars);
  return jars;
}

/** Each line of the list is `<sha256>  <file>`, as sha256sum writes it; jars that are not listed are rejected too. */
function verifyJars(project: string, folder: string): void {
  const known = new Map(
    readFileSync(join(project, 'jars.sha256'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).reverse() as [string, string]),
  );
  for (const jar of readdirSync(folder)) verifyChecksum(join(folder, jar), known.get(jar) ?? 'that of a listed file');
}

/** @throws MissingProgram if there is no JDK on PATH, or one that is too old */
export async function checkJdk(): Promise<void> {
  const printed = await runCommand('javac', ['-version'], { timeoutMs: 20_000 });
  const major = Number(/javac (\d+)/.exec(printed)?.[1] ?? 0);
  if (major < OLDEST_JAVA) throw new MissingProgram(`the JDK is older than ${OLDEST_JAVA}`);
}
