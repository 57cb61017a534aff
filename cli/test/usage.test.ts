import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { oneProcess } from './support/one-process.js';
import { stechuhr } from './support/stechuhr.js';

const ACCOUNT = '0df3114d-57ab-421c-9799-fda900f0d2ce';
const commands = oneProcess();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stechuhr-cli-'));
  await writeFile(path.join(folder, 'one.ndjson'), '{"kind":"employee","id":"1"}\n');
  await writeFile(path.join(folder, 'blank'), '\n');
  const mapping = { kind: 'employee', institution_id: ACCOUNT, columns: { number: 'Nr' } };
  await writeFile(path.join(folder, 'mapping.json'), JSON.stringify(mapping));
});
afterAll(async () => {
  await commands.stop();
  await rm(folder, { recursive: true });
});

describe('stechuhr used wrongly', () => {
  it.each([
    ['no command', []],
    ['an unknown command', ['nope']],
    ['an unknown option', ['demo', '--nope']],
    ['an import of nothing', ['import']],
    ['a file that does not exist', ['import', 'nofile.ndjson']],
    ['a folder', ['import', '.']],
    ['a file without a name', ['import', '']],
    ['standard input twice', ['import', '-', '-']],
    ['a token without an account', ['tokens', 'issue']],
    ['an account that is no UUID', ['tokens', 'issue', '--account', 'x']],
    ['empty scopes', ['tokens', 'issue', '--account', ACCOUNT, '--scopes', '']],
    ['unknown scopes', ['tokens', 'issue', '--account', ACCOUNT, '--scopes', 'daily_reports:view,all']],
    ['a strict token without scopes', ['tokens', 'issue', '--account', ACCOUNT, '--strict']],
    ['a scope of strict tokens without --strict', ['tokens', 'issue', '--account', ACCOUNT, '--scopes', 'exports:run']],
    ['a malformed expiry', ['tokens', 'issue', '--account', ACCOUNT, '--expires-at', 'tomorrow']],
    ['an expiry with a designator', ['tokens', 'issue', '--account', ACCOUNT, '--expires-at', '2030-01-01T00:00:00Z']],
    ['an expiry that does not exist', ['tokens', 'issue', '--account', ACCOUNT, '--expires-at', '2030-03-31T02:30:00']],
    ['an expiry in the past', ['tokens', 'issue', '--account', ACCOUNT, '--expires-at', '2020-01-01T00:00:00']],
    ['a revocation of nothing', ['tokens', 'revoke']],
    ['no employees', ['demo', '--employees', '0']],
    ['months that are no number', ['demo', '--months', '1e1']],
    ['a blank seed', ['demo', '--seed', ' ']],
    ['a review of no month', ['review', '--token', 'x']],
    ['a month that is none', ['review', '--token', 'x', '--month', '2026-13']],
    ['reports of nobody', ['rebuild-reports']],
    ['an institution that is no UUID', ['rebuild-reports', '--institution', 'x']],
    ['a month without a year', ['review', '--token', 'x', '--month', '05']],
    ['a task that is none', ['tasks', 'show', 'x', '--token', 'x']],
    ['a token twice', ['tasks', 'list', '--token', 'x', '--token-file', 'one.ndjson']],
    ['a token file that does not exist', ['review', '--month', '2026-05', '--token-file', 'nofile']],
    ['a token file without a token', ['tasks', 'list', '--token-file', 'blank']],
    ['an export of an account that is no UUID', ['export', 'generic', '--account', 'x', '--daterange', '2026-01-01|2026-01-31']],
    ['an export into a folder', ['export', 'generic', '--account', ACCOUNT, '--daterange', '2026-01-01|2026-01-31', '--output', '.']],
    [
      'a bundle of an account that is no UUID',
      ['daily-reports', 'bundle', '--account', 'x', '--from', '2026-01-01', '--to', '2026-01-02', '--output', 'x'],
    ],
    ['a deletion of no letters', ['dead-letters', 'delete']],
    ['an output without a name', ['demo', '--employees', '1', '--output', '']],
    ['an age that is empty', ['doctor', '--quick', '--older-than', '']],
    ['an age that is no decimal number', ['doctor', '--quick', '--older-than', '0x10']],
    ['a day that does not exist', ['events', 'replay', '--since', '2026-02-30']],
    ['accounts of an institution that is no UUID', ['accounts', 'list', '--institution', '']],
    ['tokens of an account that is no UUID', ['tokens', 'list', '--account', 'x']],
    ['a delivery that is no UUID', ['webhooks', 'replay', ACCOUNT, 'x']],
    ['a limit that is no decimal number', ['webhooks', 'deliveries', ACCOUNT, '--limit', '1e2', '--token', 'x']],
    ['a webhook that is not changed', ['webhooks', 'update', ACCOUNT]],
    ['a webhook enabled and disabled', ['webhooks', 'update', ACCOUNT, '--enable', '--disable']],
    ['an unknown shell', ['completion', 'powershell']],
  ])('exits 2 for %s and says so on stderr only', async (_name, args) => {
    const { exitCode, stdout, stderr } = await commands.run(args, { cwd: folder });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it.each([
    ['payroll_c', [], 'There is no exporter "payroll_c". Did you mean "payroll_a"?'],
    ['xyz', [], 'There is no exporter "xyz". There are: generic, payroll_a, payroll_b, multi.'],
    ['generic', ['--param', 'colums=value'], '--param: There is no parameter "colums". Did you mean "columns"?'],
    ['generic', ['--param', 'daterange=2026'], '--param: "daterange" has an option of its own: --daterange.'],
    [
      'generic',
      ['--param', 'filter=department=Hochbau', '--param', 'filter=position=Polier'],
      '--param: "filter" is given twice. Values of one parameter are joined by "|".',
    ],
    ['generic', ['--param', 'response_only=false'], '--param: "response_only" is always true: the file itself is written.'],
  ])('exits 2 for an export %s %j and suggests the right name', async (exporter, more, message) => {
    const { exitCode, stderr } = await commands.run([
      'export',
      exporter,
      '--account',
      ACCOUNT,
      '--daterange',
      '2026-01-01|2026-01-31',
      ...more,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `${message}\n` });
  });

  it('has colours only where a terminal or FORCE_COLOR asks for them', async () => {
    const args = ['export', 'xyz', '--account', ACCOUNT, '--daterange', '2026-01-01|2026-01-31'];
    const message = 'There is no exporter "xyz". There are: generic, payroll_a, payroll_b, multi.';
    expect(await stechuhr(args)).toMatchObject({ stderr: `${message}\n` });
    expect(await stechuhr(args, { env: { NO_COLOR: '1' } })).toMatchObject({ stderr: `${message}\n` });
    expect(await stechuhr(args, { env: { FORCE_COLOR: '1' } })).toMatchObject({ stderr: `\u001B[31m${message}\u001B[39m\n` });
  });

  it('runs as a program of its own, with a version and nothing else on stdout', async () => {
    const program = path.resolve(import.meta.dirname, '../bin/stechuhr.mjs');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, '--version']);
    expect({ version: stdout, stderr }).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  });

  it('names every option that is wrong', async () => {
    const { stderr } = await commands.run(['tokens', 'issue', '--account', 'x', '--scopes', 'all', '--expires-at', 'z']);
    expect(stderr.match(/^--\S+/gmu)).toEqual(['--account:', '--scopes:', '--expires-at:']);
  });
});

describe('stechuhr without a platform', () => {
  it.each([
    ['import', ['import', 'one.ndjson']],
    ['demo', ['demo']],
    ['tokens', ['tokens', 'list']],
    ['review', ['review', '--month', '2026-05']],
    ['events', ['events', 'replay']],
    ['outbox', ['outbox', 'status']],
  ])('%s exits 1 and says what to do', async (_name, args) => {
    const { exitCode, stdout, stderr } = await commands.run(args, { cwd: folder });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('npm start');
  });

  it('says in sentences that NATS does not answer', async () => {
    const { exitCode, stderr } = await commands.run(['dead-letters', 'list'], { env: { NATS_URL: 'nats://127.0.0.1:1' } });
    const problem = 'NATS does not answer at nats://127.0.0.1:1: connection refused\nIs the platform running ("npm start")?\n';
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: problem });
  });

  it('ends when NATS accepts a connection and then says nothing, as a server that has stopped', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { exitCode, stderr } = await stechuhr(['dead-letters', 'list'], { env: { NATS_URL: `nats://127.0.0.1:${String(port)}` } });
    silent.close();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`NATS does not answer at nats://127.0.0.1:${String(port)}: timeout`);
  });

  it('says which service does not answer', async () => {
    const address = await closedAddress();
    const { exitCode, stderr } = await commands.run(['import', 'one.ndjson'], { cwd: folder, env: { RECORDS_ADDRESS: address } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`The records service does not answer at ${address}.`);
  });

  it.each([
    ['accounts list', ['accounts', 'list'], 'The records service (…) does not answer'],
    [
      'export',
      ['export', 'generic', '--account', ACCOUNT, '--daterange', '2026-01-01|2026-01-31'],
      'The records service (…) or the exports service (…)',
    ],
    ['rebuild-reports', ['rebuild-reports', '--institution', ACCOUNT], 'The daily-reports service (…) does not answer'],
    [
      'bundle',
      ['daily-reports', 'bundle', '--account', ACCOUNT, '--from', '2026-01-01', '--to', '2026-01-02', '--output', 'x'],
      'The records service (…) or',
    ],
    ['import --mapping', ['import', '--mapping', 'mapping.json', 'blank'], 'The records service (…) does not answer'],
  ])('says which service does not answer: %s', async (_name, args, sentence) => {
    const address = await closedAddress();
    const env = { RECORDS_ADDRESS: address, EXPORTS_ADDRESS: address, DAILY_REPORTS_ADDRESS: address };
    const { exitCode, stderr } = await commands.run(args, { cwd: folder, env });
    expect(exitCode).toBe(1);
    expect(stderr.replaceAll(address, '…')).toContain(sentence);
  });

  it('does not take any answer of an admin port for empty outboxes', async () => {
    const server = createHttpServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { exitCode, stdout } = await commands.run(['outbox', 'status'], {
      env: { ADMIN_ADDRESSES: `records=127.0.0.1:${String(port)}` },
    });
    await promisify(server.close.bind(server))();
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`records: 127.0.0.1:${String(port)} answers 404.`);
    expect(stdout).not.toContain('No events are waiting.');
  });

  it('does not take metrics without outboxes for empty ones, except of a service that has none', async () => {
    const server = createHttpServer((_request, response) => response.end('up 1\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const address = `127.0.0.1:${String(port)}`;
    const { exitCode, stdout } = await commands.run(['outbox', 'status'], {
      env: { ADMIN_ADDRESSES: `records=${address},worker=${address}` },
    });
    await promisify(server.close.bind(server))();
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`records: ${address} does not report its outboxes.`);
    expect(stdout).not.toContain('worker: ');
    expect(stdout).not.toContain('No events are waiting.');
  });

  it('doctor reports an address that is none beside everything else', async () => {
    const env = { MONGODB_URL: 'mongodb://127.0.0.1:99999', REDIS_URL: `redis://${await closedAddress()}` };
    const { exitCode, stdout } = await stechuhr(['doctor', '--quick', '--json'], { cwd: folder, env });
    const findings = JSON.parse(stdout) as { name: string; state: string; detail: string }[];
    expect(exitCode).toBe(1);
    expect(findings).toContainEqual(expect.objectContaining({ name: 'Node.js', state: 'ok' }));
    expect(findings).toContainEqual(
      expect.objectContaining({ name: 'MongoDB', state: 'failed', detail: expect.stringContaining('99999') }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ name: 'Redis', state: 'failed', detail: expect.stringContaining('ECONNREFUSED') }),
    );
  });

  it.each(['http://127.0.0.1:50051', '127.0.0.1', 'records:port'])('names an address that is none: %s', async (address) => {
    const { exitCode, stderr } = await commands.run(['accounts', 'list'], { env: { RECORDS_ADDRESS: address } });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `RECORDS_ADDRESS must be host:port, and is "${address}".\n` });
  });
});

/** An address at which nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '';
}

describe('stechuhr whose output is not taken', () => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, STECHUHR_HOME: '/nonexistent' };
  const main = path.resolve(import.meta.dirname, '../dist/main.js');

  (existsSync('/dev/full') ? it : it.skip)('exits 1 with a sentence where the disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [main, 'completion', 'bash'], { env, stdio: ['ignore', full, 'pipe'] });
    const [stderr] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'close')]);
    closeSync(full);
    const problem = 'The result could not be written: ENOSPC: no space left on device, write\n';
    expect({ exitCode: child.exitCode, stderr }).toEqual({ exitCode: 1, stderr: problem });
  });

  it.each([
    ['import', ['import', 'broken.ndjson', '--json']],
    [
      'webhooks verify',
      ['webhooks', 'verify', 'one.ndjson', '--secret-file', 'secret', '--id', 'a', '--timestamp', '1', '--signature', 'v1,AA=='],
    ],
  ])('ends with the same exit code if nobody reads the output of a failure: %s', async (_command, args) => {
    await writeFile(path.join(folder, 'secret'), 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    await writeFile(path.join(folder, 'broken.ndjson'), '{"kind"\n');
    const child = spawn(process.execPath, [main, ...args], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ exitCode: child.exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  });

  it('continues if nobody reads stderr any more', async () => {
    const child = spawn(process.execPath, [main, 'export', 'xyz', '--account', ACCOUNT, '--daterange', '2026-01-01|2026-01-31'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.destroy();
    await once(child, 'close');
    expect(child.exitCode).toBe(2);
  });
});

describe('stechuhr import of a file that is wrong altogether', () => {
  it('has flat memory, and names every line', async () => {
    // The findings alone have 60 MB; the command needs 28 MB for anything, and some more while the collector gets little CPU time.
    const lines = 300_000;
    await writeFile(path.join(folder, 'wrong.ndjson'), '{"kind"\n'.repeat(lines));
    const few = { cwd: folder, nodeOptions: ['--max-old-space-size=56'] };
    const { exitCode, stdout, stderr } = await stechuhr(['import', 'wrong.ndjson', '--json'], few);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.not.stringContaining('heap') });
    const { rejected } = JSON.parse(stdout) as { rejected: { line: number }[] };
    expect({ count: rejected.length, last: rejected.at(-1)?.line }).toEqual({ count: lines, last: lines });
  });
});

describe('stechuhr --help', () => {
  it.each([
    [[]],
    [['import']],
    [['demo']],
    [['tokens', 'issue']],
    [['review']],
    [['export']],
    [['tasks', 'list']],
    [['events', 'tail']],
    [['dead-letters', 'retry']],
    [['outbox', 'status']],
    [['doctor']],
    [['store-users']],
    [['completion']],
  ])('teaches by examples: %j', async (command) => {
    const { exitCode, stdout } = await commands.run([...command, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Examples:\n  $ stechuhr');
  });
});

describe('stechuhr demo --output', () => {
  it('writes the records that an import would send, the same each time', async () => {
    const file = path.join(folder, 'demo.ndjson');
    const written = await commands.run(['demo', '--employees', '3', '--months', '1', '--output', file, '--json']);
    const printed = await commands.run(['demo', '--employees', '3', '--months', '1', '--output', '-']);
    expect(JSON.parse(written.stdout)).toMatchObject({ institution_id: expect.any(String), account_id: expect.any(String), file });
    const lines = printed.stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(50);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kind: 'institution', id: JSON.parse(written.stdout).institution_id });
    expect(await readFile(file, 'utf8')).toBe(printed.stdout);
  });

  it('keeps the previous file after an interruption, without leftovers', async () => {
    const place = await mkdtemp(path.join(folder, 'interrupted-'));
    const file = path.join(place, 'demo.ndjson');
    await writeFile(file, 'of before');
    const args = ['demo', '--employees', '100000', '--months', '60', '--output', file];
    const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../dist/main.js'), ...args], { stdio: 'ignore' });
    const isWriting = async () => (await readdir(place)).length > 1 || (await readFile(file, 'utf8')) !== 'of before';
    await waitFor(isWriting);
    child.kill('SIGINT');
    await once(child, 'close');
    expect([child.signalCode, await readdir(place), await readFile(file, 'utf8')]).toEqual(['SIGINT', ['demo.ndjson'], 'of before']);
  });

  it('exits 1 when the file cannot be written', async () => {
    const { exitCode, stderr } = await commands.run(['demo', '--employees', '1', '--output', path.join(folder, 'no', 'such', 'folder')]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('could not be written');
  });
});
