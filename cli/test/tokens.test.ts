import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { buildAccount, buildInstitution, openTcpGate, toNdjson } from '@stechuhr/testing';
import { findPlatform } from '../src/platform.js';
import { withTokenAdmin } from '../src/tokens/with-token-admin.js';
import { oneProcess } from './support/one-process.js';
import { startRecords, type RunningRecords } from './support/records.js';
import type { Ended } from './support/stechuhr.js';

const commands = oneProcess();
let records: RunningRecords;
const institution = buildInstitution();
const account = buildAccount({ institution_id: institution.id });
const other = buildAccount({ institution_id: institution.id });

beforeAll(async () => {
  records = await startRecords();
  await commands.run(['import', '-'], { env: records.env, input: toNdjson([institution, account, other]) });
});
afterAll(async () => {
  await commands.stop();
  await records.stop();
});

function tokens(...args: readonly string[]): Promise<Ended> {
  return commands.run(['tokens', ...args], { env: records.env });
}

async function issue(...args: readonly string[]) {
  return JSON.parse((await tokens('issue', '--json', '--account', account.id, ...args)).stdout);
}

describe('stechuhr accounts', () => {
  it('lists the accounts of an institution', async () => {
    const list = (...args: readonly string[]) => commands.run(['accounts', 'list', ...args], { env: records.env });
    const { stdout } = await list('--institution', institution.id, '--json');
    const ids = [account.id, other.id].sort();
    const common = { institution_id: institution.id, institution_name: institution.name, role: 'admin', email: expect.any(String) };
    const listed = { ...common, first_name: account.first_name, last_name: account.last_name };
    expect(JSON.parse(stdout)).toEqual(ids.map((id) => ({ id, ...listed })));
    expect((await list()).stdout).toContain(account.id);
    expect((await list('--institution', newId())).stdout).toBe('No accounts.\n');
    expect(await list('--institution', 'x')).toMatchObject({ exitCode: 2, stderr: '--institution: Must be a valid UUID.\n' });
  });
});

describe('stechuhr tokens', () => {
  it('names an address of Redis that is none, and ends', async () => {
    const { exitCode, stderr } = await commands.run(['tokens', 'list'], { env: { ...records.env, REDIS_URL: 'localhost' } });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^REDIS_URL must be redis:/u);
  });

  it('issues an unrestricted token that never expires', async () => {
    expect(await issue()).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^stu_[0-9A-Za-z]{49}$/u),
      account_id: account.id,
      scopes: null,
      expires_at: null,
    });
  });

  it('issues one with a name, scopes and an expiry', async () => {
    const issued = await issue('--name', 'Büro', '--scopes', 'daily_reports:view,absence_rules:view', '--expires-at', '2099-12-31T23:59');
    expect(issued).toMatchObject({ scopes: ['daily_reports:view', 'absence_rules:view'], expires_at: '2099-12-31T23:59:00' });
    const { stdout } = await tokens('list', '--json', '--account', account.id);
    expect(JSON.parse(stdout)).toContainEqual({
      id: issued.id,
      prefix: issued.token.slice(0, 8),
      name: 'Büro',
      account_id: account.id,
      scopes: issued.scopes,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/u),
      expires_at: '2099-12-31T23:59:00',
      last_used_at: null,
      revoked_at: null,
    });
    expect(stdout).not.toContain(issued.token);
  });

  it('issues a strict one, with scopes of every group', async () => {
    const scopes = 'exports:run,tasks:view,tasks:delete,records:view,reviews:view,suppressions:edit,daily_reports:view';
    const issued = await issue('--strict', '--scopes', scopes);
    expect(issued).toMatchObject({ scopes: scopes.split(','), strict: true });
    const { stdout } = await tokens('list', '--json', '--account', account.id);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ id: issued.id, scopes: scopes.split(','), strict: true }));
  });

  it('shows what a token may beyond its scopes, unless it is strict', async () => {
    const issueAs = async (...args: readonly string[]) => (await tokens('issue', '--account', account.id, '--scopes', ...args)).stderr;
    expect(await issueAs('daily_reports:view')).toContain('It may also run exports');
    const strict = await issueAs('daily_reports:view', '--strict');
    expect(strict).not.toContain('It may also');
    expect(strict).toContain('only daily_reports:view');
  });

  it('shows people the token alone on stdout, so that it can be assigned, and the rest on stderr', async () => {
    const { stdout, stderr } = await tokens('issue', '--account', other.id);
    expect(stdout).toMatch(/^stu_\S+\n$/u);
    expect(stderr).toContain('shown only this once');
    const list = await tokens('list', '--account', other.id);
    expect(list.stdout.split('\n').filter((line) => line.includes(other.id))).toHaveLength(1);
  });

  it('takes the institution of the account', async () => {
    expect(await issue('--institution', institution.id.toUpperCase())).toMatchObject({ account_id: account.id });
    const { exitCode, stderr } = await tokens('issue', '--account', account.id, '--institution', 'x');
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '--institution: Must be a valid UUID.\n' });
  });

  it('revokes a token, a second time too', async () => {
    const { id } = await issue();
    const first = await tokens('revoke', id, '--json');
    expect(JSON.parse(first.stdout)).toEqual({ id, revoked_at: expect.any(String) });
    const second = await tokens('revoke', id, '--json');
    expect(second).toMatchObject({ exitCode: 0, stdout: first.stdout });
  });

  it.each([
    ['an unknown account', ['issue', '--account', newId()]],
    ['an account of another institution', ['issue', '--account', account.id, '--institution', newId()]],
    ['an unknown token', ['revoke', newId()]],
    ['a token id that is none', ['revoke', 'x']],
  ])('exits 1 for %s', async (_name, args) => {
    const { exitCode, stdout, stderr } = await tokens(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^There is no (account|token) /u);
  });

  it('works without Redis, and says when MongoDB is unavailable', async () => {
    const list = await commands.run(['tokens', 'list', '--json'], { env: { ...records.env, REDIS_URL: 'redis://127.0.0.1:1' } });
    expect(list.exitCode).toBe(0);
    const ended = await commands.run(['tokens', 'list'], {
      env: { ...records.env, MONGODB_URL: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=300' },
    });
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain('The database of the tokens does not answer');
  });

  it('says that MongoDB is unavailable when it goes away in between, too', async () => {
    const { MONGODB_URL: url = '' } = records.env;
    const { host } = new URL(url);
    const gate = await openTcpGate(host);
    const environment = { ...records.env, STECHUHR_HOME: '/nonexistent', MONGODB_URL: url.replace(host, gate.address) };
    const listed = withTokenAdmin(findPlatform(environment), async (admin) => {
      await gate.stop();
      return admin.list();
    });
    await expect(listed).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('The database of the tokens does not answer: '),
    });
  });
});
