import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Infra } from '@stechuhr/local-infra';
import { passedOn, serviceEnvironment } from './environment.js';
import { topology } from './topology.js';

/** Variables of services that a developer cannot set for all of them at once: the databases, and the user that provisions NATS. */
const NOT_PASSED_ON = ['MONGODB_DATABASE', 'NATS_PROVISIONING_URL'];

/** Returns the names in the first column of the tables of variables in the README of a service. */
function documentedIn(service: string): string[] {
  const readme = readFileSync(new URL(`../../../services/${service}/README.md`, import.meta.url), 'utf8');
  const [, table = ''] = /^\| variable[^\n]*\n((?:\|[^\n]*\n?)+)/m.exec(readme) ?? [];
  return table.split('\n').flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name));
}

/** Returns the variables that a service reads in addition to those of the libraries: the keys in capitals of the schema in its `config.ts`. */
function readBy(service: string): string[] {
  const config = readFileSync(new URL(`../../../services/${service}/src/config.ts`, import.meta.url), 'utf8');
  return [...config.matchAll(/^ +([A-Z][A-Z0-9_]+)[:,]/gm)].map(([, name = '']) => name);
}

describe('the README of a service', () => {
  it.each(topology)('lists every variable that $name reads', ({ name }) => {
    const documented = documentedIn(name);
    expect(readBy(name).filter((variable) => !documented.includes(variable))).toEqual([]);
  });
});

describe('passedOn', () => {
  it('hands on documented settings and nothing else', () => {
    const settings = {
      LOG_LEVEL: 'debug',
      TZ: 'UTC',
      OTEL_SERVICE_NAME: 'x',
      EXPORT_RATE_LIMIT_PER_MINUTE: '0',
      CONCURRENT_EXPORTS_PER_TOKEN: '0',
    };
    expect(passedOn({ ...settings, SECRET: 'no', STECHUHR_HOME: '/home', NODE_COMPILE_CACHE: '/compiled' })).toEqual(settings);
  });

  it.each(topology)('hands on every setting that the README of $name lists', (service) => {
    const documented = documentedIn(service.name);
    expect(documented).toContain('NATS_URL');
    const set = Object.keys(serviceEnvironment(service, { s3: {} } as Infra, new Map(), {}));
    const wanted = documented.filter((name) => ![...set, 'HOST', 'DRAIN_SECONDS', ...NOT_PASSED_ON].includes(name));
    expect(Object.keys(passedOn(Object.fromEntries(wanted.map((name) => [name, '1']))))).toEqual(wanted);
  });

  it('resolves files where the user typed the command, because each service runs in its own folder', () => {
    const given = { WEBHOOK_CA_FILE: 'ca.pem', NODE_EXTRA_CA_CERTS: '../ca.pem', OTEL_EXPORTER_OTLP_CERTIFICATE: '/etc/ca.pem' };
    const absolute = {
      WEBHOOK_CA_FILE: '/work/keys/ca.pem',
      NODE_EXTRA_CA_CERTS: '/work/ca.pem',
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/etc/ca.pem',
    };
    expect(passedOn({ INIT_CWD: '/work/keys', ...given })).toEqual(absolute);
    expect(passedOn({ INIT_CWD: '/work/keys', WEBHOOK_CA_FILE: '' })).toEqual({ WEBHOOK_CA_FILE: '' });
  });

  it('lets the gateway listen elsewhere only where that is said of Stechuhr: shells set HOST to the name of the machine', () => {
    expect(passedOn({ HOST: 'x86_64-conda-linux-gnu' })).toEqual({});
    expect(passedOn({ HOST: 'laptop', STECHUHR_HOST: '0.0.0.0' })).toEqual({ HOST: '0.0.0.0' });
    expect(passedOn({ STECHUHR_HOST: '' })).toEqual({});
  });

  it.each(['warn', 'error', 'fatal'])('keeps LOG_LEVEL=%s back, under which no service says that it is ready', (level) => {
    expect(passedOn({ LOG_LEVEL: level })).toEqual({});
  });
});
