import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordSchemas } from '@stechuhr/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { marked } from 'marked';
import { call } from './support/http.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

let platform: UsedPlatform;
let folder: string;

beforeAll(async () => {
  [platform, folder] = await Promise.all([sharedPlatform(), mkdtemp(join(tmpdir(), 'stechuhr-first-payroll-'))]);
});

afterAll(() => rm(folder, { recursive: true }));

/** Returns the code blocks of a page with this language. */
function blocksOf(file: string, language: string): string[] {
  return marked.lexer(read(file)).flatMap((token) => (token.type === 'code' && token.lang === language ? [token.text as string] : []));
}

/** Splits a command into arguments like a shell, with paths of files in the folder of the test. */
function argumentsOf(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return words.slice(words.indexOf('--') + 1).map((word) => (/\.(ndjson|csv|json)$/.test(word) ? join(folder, word) : word));
}

/** Runs the commands of a page sequentially. */
async function run(page: string): Promise<void> {
  for (const command of blocksOf(page, 'sh')) {
    const { exitCode, stdout, stderr } = await platform.cli(argumentsOf(command));
    expect({ command, exitCode, problems: exitCode === 0 ? '' : stdout + stderr }).toEqual({ command, exitCode: 0, problems: '' });
  }
}

const written = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim().split('\r\n').join('\n');

describe('docs/first-payroll.md', () => {
  const page = 'docs/first-payroll.md';

  it('produces both payroll files when its commands are executed literally', async () => {
    const [lines = ''] = blocksOf(page, 'ndjson');
    await writeFile(join(folder, 'staff.ndjson'), lines);
    await run(page);
    expect(await Promise.all(['march-a.csv', 'march-b.csv'].map(written))).toEqual(blocksOf(page, 'csv'));
  });

  it('continues docs/csv-import/README.md, whose files are imported as employees and hours', async () => {
    const files = ['employees', 'times', 'hours'];
    for (const name of files) {
      for (const type of ['csv', 'mapping.json'])
        await copyFile(join(ROOT, `docs/csv-import/${name}.${type}`), join(folder, `${name}.${type}`));
    }
    const shown = blocksOf('docs/csv-import/README.md', 'csv');
    expect(files.map((name, index) => textOf(`docs/csv-import/${name}.csv`, index === 0 ? 'windows-1252' : 'utf-8'))).toEqual(
      shown.slice(0, 3),
    );
    expect(blocksOf('docs/csv-import/README.md', 'json')).toEqual([read('docs/csv-import/employees.mapping.json').trim()]);
    await run('docs/csv-import/README.md');
    expect(await written('april.csv')).toBe(shown[3]);
  });
});

/** Reads a file in the form in which a page shows it. */
function textOf(file: string, encoding: string): string {
  return new TextDecoder(encoding)
    .decode(readFileSync(join(ROOT, file)))
    .trim()
    .replaceAll('\r\n', '\n');
}

describe('docs/records/examples.ndjson', () => {
  const lines = read('docs/records/examples.ndjson').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as { readonly kind: string });

  it('has a valid record of every kind', async () => {
    const { exitCode, stdout } = await platform.cli(['import', '--strict', '--json', '-'], [lines.join('\n')]);
    expect({ exitCode, ...(JSON.parse(stdout) as object) }).toEqual({
      exitCode: 0,
      accepted: Object.fromEntries([...recordSchemas().keys()].map((kind) => [kind, 1])),
      rejected: [],
      warnings: [],
    });
  });

  it('matches the schemas that the platform serves', async () => {
    const addresses = (await call(`${platform.baseUrl}/schemas/`)).json as Readonly<Record<string, string>>;
    expect(Object.keys(addresses).sort()).toEqual(records.map(({ kind }) => kind).sort());
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (createRequire(import.meta.url)('ajv-formats') as (to: Ajv2020) => void)(ajv);
    for (const record of records) {
      const { status, json } = await call(addresses[record.kind] ?? '');
      const validate = ajv.compile(json as object);
      expect({ kind: record.kind, status, valid: validate(record), errors: validate.errors }).toEqual({
        ...{ kind: record.kind, status: 200, valid: true, errors: null },
      });
      expect(validate({ ...record, institution_id: 'x' })).toBe(false);
      expect(validate({ kind: record.kind, institution_id: (record as { institution_id?: string }).institution_id })).toBe(
        record.kind === 'review_settings',
      );
    }
  });
});
