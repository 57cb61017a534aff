import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topology } from '@stechuhr/local';
import { parse } from 'yaml';
import { openChart, type Chart } from './chart.js';
import { runMongosh, ServerOfUsers } from './mongosh.js';

const VALUES = fileURLToPath(new URL('../../../helm/stechuhr/ci/development.yaml', import.meta.url));
const owners = topology.filter(({ needs }) => needs.includes('mongodb')).map(({ name }) => name);
const databaseOf = (name: string): string => `stechuhr_${name.replaceAll('-', '_')}`;

/** The script of the sidecar of the chart's MongoDB, and the connection strings of the services. */
interface Release {
  readonly script: string;
  readonly urls: Readonly<Record<string, string>>;
}

let chart: Chart;
let release: Release;
let otherSeed: Release;

beforeAll(async () => {
  chart = await openChart();
  const values = parse(readFileSync(VALUES, 'utf8')) as { readonly infrastructure: object };
  release = await render(values);
  otherSeed = await render({ ...values, infrastructure: { ...values.infrastructure, seed: 'another seed of a test' } });
});
afterAll(() => chart.close());

async function render(values: object): Promise<Release> {
  const rendered = await chart.render(values);
  const script: string = rendered.object('Secret', 'demo-stechuhr-mongodb-config')['stringData']['setup.js'];
  return { script, urls: rendered.object('Secret', 'demo-stechuhr-mongodb')['stringData'] as Release['urls'] };
}

describe('the script that creates the users of MongoDB', () => {
  it('creates a user with read and write permission for each service in its own database', () => {
    const server = new ServerOfUsers();
    runMongosh(release.script, server);
    for (const name of owners) {
      const { username, password, searchParams } = new URL(release.urls[name] ?? '');
      expect(searchParams.get('authSource')).toBe(databaseOf(name));
      expect([...server.in(databaseOf(name)).values()]).toEqual([{ user: username, pwd: password, roles: ['readWrite'] }]);
    }
    expect([...server.users.keys()].sort()).toEqual(['admin', ...owners.map(databaseOf)].sort());
    expect([...server.in('admin').values()].map(({ user, roles }) => [user, ...roles])).toEqual([['administrator', 'root']]);
  });

  it('first initiates a replica set with one member, under the name that services use', () => {
    const server = new ServerOfUsers();
    const { changes } = runMongosh(release.script, server);
    expect(changes[0]).toBe('initiated rs0');
    expect(server.replicaSet?.members).toEqual([{ _id: 0, host: 'demo-stechuhr-mongodb:27017' }]);
    expect(new URL(release.urls['records'] ?? '').host).toBe('demo-stechuhr-mongodb:27017');
  });

  it('is idempotent', () => {
    const server = new ServerOfUsers();
    runMongosh(release.script, server);
    expect(runMongosh(release.script, server).changes).toEqual([]);
  });

  it('continues after an interruption, and corrects extended permissions', () => {
    const server = new ServerOfUsers();
    runMongosh(release.script, server);
    server.in(databaseOf('tasks')).clear();
    const records = { user: 'records', pwd: 'other', roles: ['readWrite', 'dbOwner'] };
    server.in(databaseOf('records')).set('records', records);
    expect([...runMongosh(release.script, server).changes].sort()).toEqual(['changed records@stechuhr_records', 'created tasks@stechuhr_tasks readWrite']); // prettier-ignore
    expect(server.in(databaseOf('records')).get('records')?.roles).toEqual(['readWrite']);
  });

  it('prints nothing, and therefore no password', () => {
    const server = new ServerOfUsers();
    for (let time = 0; time < 2; time++) expect(runMongosh(release.script, server).printed).toBe('');
  });

  it('fails if the administrator has another password', () => {
    const server = new ServerOfUsers();
    runMongosh(otherSeed.script, server);
    expect(() => runMongosh(release.script, server)).toThrow('Authentication failed.');
  });

  it('has different passwords in every release', () => {
    for (const name of owners) expect(otherSeed.urls[name]).not.toBe(release.urls[name]);
  });
});
