import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

/** The blocks of a page, by the language that they name. */
function blocksOf(file: string, language: string): string[] {
  return marked.lexer(read(file)).flatMap((token) => (token.type === 'code' && token.lang === language ? [token.text as string] : []));
}

/** The arguments of a command as a shell reads them; files are in the folder of the test. */
function argumentsOf(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return words.slice(words.indexOf('--') + 1).map((word) => (/\.(ndjson|csv)$/.test(word) ? join(folder, word) : word));
}

describe('docs/first-payroll.md', () => {
  it('leads from nothing to both payroll files, as it stands', async () => {
    const page = 'docs/first-payroll.md';
    const [lines = ''] = blocksOf(page, 'ndjson');
    await writeFile(join(folder, 'staff.ndjson'), lines);
    for (const command of blocksOf(page, 'sh')) {
      const { exitCode, stdout, stderr } = await platform.cli(argumentsOf(command));
      expect({ command, exitCode, problems: exitCode === 0 ? '' : stdout + stderr }).toEqual({ command, exitCode: 0, problems: '' });
    }
    const files = await Promise.all(['march-a.csv', 'march-b.csv'].map((name) => readFile(join(folder, name), 'utf8')));
    expect(files.map((text) => text.trim().split('\r\n'))).toEqual(blocksOf(page, 'csv').map((text) => text.split('\n')));
  });
});

describe('docs/records/examples.ndjson', () => {
  const lines = read('docs/records/examples.ndjson').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as { readonly kind: string });

  it('has a record of every kind, which an import accepts', async () => {
    const { exitCode, stdout } = await platform.cli(['import', '--strict', '--json', '-'], [lines.join('\n')]);
    expect({ exitCode, ...(JSON.parse(stdout) as object) }).toEqual({
      exitCode: 0,
      accepted: Object.fromEntries([...recordSchemas().keys()].map((kind) => [kind, 1])),
      rejected: [],
      warnings: [],
    });
  });

  it('follows the schemas that the platform serves', async () => {
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
