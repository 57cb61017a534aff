import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissingProgram, runCommand } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';
import type { OpenApiDocument } from '../support/document-schemas.js';
import { call } from '../support/http.js';
import { sampleOrganization, type SampleOrganization } from '../support/sample-organization.js';
import { startTestPlatform, type TestPlatform } from '../support/platform.js';
import { DOCUMENT, type GeneratedClient, type Walker } from './client.js';
import { java } from './java.js';
import { python } from './python.js';
import { walkOf, type Step } from './walk.js';

/** The clients, each with a separate organization, so that they do not affect each other. */
const CLIENTS: readonly (readonly [GeneratedClient, SampleOrganization])[] = [
  [python, sampleOrganization(61)],
  [java, sampleOrganization(62)],
];

const say = (line: string): void => void process.stderr.write(`clients: ${line}\n`);

/** Returns the operations that are in the document but not in the walk, or vice versa. */
async function difference(steps: readonly Step[]): Promise<readonly string[]> {
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApiDocument;
  const described = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)));
  const walked = new Set(steps.map(({ operation }) => operation));
  return [...described].filter((id) => !walked.has(id)).concat([...walked].filter((id) => !described.has(id)));
}

/** Generates and compiles clients of the API, and calls every operation of a running platform with each. */
async function main(): Promise<number> {
  const left = await difference(CLIENTS.flatMap(([, organization]) => walkOf(organization)));
  if (left.length > 0) {
    say(`tests/src/generated-clients/walk.ts and docs/openapi.json do not name the same operations: ${left.join(', ')}`);
    return 1;
  }
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-clients-'));
  const starting = startTestPlatform({}, ['tasks', 'worker', 'daily-reports', 'webhooks']);
  try {
    const results = await Promise.all(CLIENTS.map((entry) => succeeds(...entry, { folder, starting })));
    return results.every(Boolean) ? 0 : 1;
  } finally {
    await (await starting).stop();
    await rm(folder, { recursive: true });
  }
}

interface Stage {
  readonly folder: string;
  readonly starting: Promise<TestPlatform>;
}

async function succeeds({ language, provide }: GeneratedClient, organization: SampleOrganization, stage: Stage): Promise<boolean> {
  try {
    const own = join(stage.folder, language);
    await mkdir(own);
    const { generate } = await provide(say);
    const [walker, walk] = await Promise.all([generate(own), prepared(organization, await stage.starting)]);
    say(`${language}: ${await calls(walker, join(own, 'walk.json'), walk)}`);
    return true;
  } catch (error) {
    const isMissing = error instanceof MissingProgram;
    say(isMissing ? `the one for ${language} is left out: ${error.message}` : `${language}: ${String(error)}`);
    return isMissing;
  }
}

/** Imports the organization and runs an export. */
async function prepared(organization: SampleOrganization, platform: TestPlatform): Promise<object> {
  const { rejected } = await platform.importLines(organization.lines);
  if (rejected.length > 0) throw new Error(`The organization was not imported: ${JSON.stringify(rejected)}`);
  const token = await platform.issueToken(organization.admin);
  const url = `${platform.baseUrl}/exports/generic/?daterange=2026-10-01%7C2026-10-31&is_async=true`;
  await waitFor(async () => ((await call(url, { token })).json as { readonly status: string }).status === 'finished');
  return { baseUrl: platform.baseUrl, token, steps: walkOf(organization) };
}

async function calls({ command, args, env }: Walker, file: string, walk: object): Promise<string> {
  await writeFile(file, JSON.stringify(walk));
  return (await runCommand(command, [...args, file], { env, timeoutMs: 120_000 })).trim();
}

process.exitCode = await main();
