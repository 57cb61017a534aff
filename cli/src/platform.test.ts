import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findPlatform } from './platform.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'stechuhr-home-'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

const RUN = {
  ready: true,
  pid: process.pid,
  base_url: 'http://127.0.0.1:8080/api/v2',
  demo: null,
  services: { records: { grpc: '127.0.0.1:5001', admin: '127.0.0.1:5002' }, gateway: { grpc: null, admin: '127.0.0.1:5003' } },
  infra: { mongodb: 'mongodb://127.0.0.1:1', nats: 'nats://127.0.0.1:2', redis: 'redis://127.0.0.1:3', s3: {} },
};

function writeRun(run: unknown): void {
  writeFileSync(path.join(home, 'run.json'), JSON.stringify(run));
}

describe('findPlatform', () => {
  it('finds everything in run.json', () => {
    writeRun(RUN);
    const platform = findPlatform({ STECHUHR_HOME: home });
    expect(platform.grpcAddress('records')).toBe('127.0.0.1:5001');
    expect(platform.tokenStores()).toEqual({
      mongodbUrl: 'mongodb://127.0.0.1:1',
      database: 'stechuhr_gateway',
      redisUrl: 'redis://127.0.0.1:3',
    });
  });

  it('needs no run.json when the environment says it', () => {
    const environment = { STECHUHR_HOME: home, RECORDS_ADDRESS: 'records:50051', MONGODB_URL: 'm', REDIS_URL: 'r', GATEWAY_DATABASE: 'g' };
    expect(findPlatform(environment).grpcAddress('records')).toBe('records:50051');
    expect(findPlatform(environment).tokenStores()).toEqual({ mongodbUrl: 'm', database: 'g', redisUrl: 'r' });
  });

  // As Compose passes on a variable that is not set. MongoDB would take no name for that of its database for tests.
  it('takes a variable without a value for one that is not set', () => {
    writeRun(RUN);
    const empty = { MONGODB_URL: '', GATEWAY_DATABASE: '', MONGODB_DATABASE: '' };
    expect(findPlatform({ STECHUHR_HOME: home, ...empty }).tokenStores()).toMatchObject({
      mongodbUrl: 'mongodb://127.0.0.1:1',
      database: 'stechuhr_gateway',
    });
    expect(
      findPlatform({
        ...empty,
        GATEWAY_DATABASE: '',
        MONGODB_DATABASE: 'm',
        MONGODB_URL: 'm',
        REDIS_URL: 'r',
        RECORDS_ADDRESS: 'r:1',
      }).tokenStores().database,
    ).toBe('m');
  });

  it('finds the token that is given, else that of the environment, else that of the demo', () => {
    const demo = { institution_id: 'i', account_id: 'a', token: 'of the demo' };
    writeRun({ ...RUN, demo });
    expect(findPlatform({ STECHUHR_HOME: home }).token(undefined)).toBe('of the demo');
    const platform = findPlatform({ STECHUHR_HOME: home, STECHUHR_TOKEN: 'of the environment' });
    expect([platform.token(undefined), platform.token('given')]).toEqual(['of the environment', 'given']);
    writeRun(RUN);
    expect(() => findPlatform({ STECHUHR_HOME: home }).token(undefined)).toThrow(/Set STECHUHR_TOKEN/u);
  });

  it('lets the environment win over run.json', () => {
    writeRun(RUN);
    expect(findPlatform({ STECHUHR_HOME: home, MONGODB_URL: 'other' }).tokenStores()).toMatchObject({
      mongodbUrl: 'other',
      redisUrl: 'redis://127.0.0.1:3',
    });
  });

  it.each([
    ['there is none', undefined, /is not running: .*run\.json cannot be read\.\nStart it with "npm start"/u],
    ['it is not ready', { ...RUN, ready: false }, /not ready yet/u],
    ['its process is gone', { ...RUN, pid: 2 ** 22 + 1 }, /is no longer running/u],
    ['it knows no records service', { ...RUN, services: {} }, /does not contain RECORDS_ADDRESS/u],
  ])('says what to do when %s', (_name, run, message) => {
    if (run !== undefined) writeRun(run);
    expect(() => findPlatform({ STECHUHR_HOME: home }).grpcAddress('records')).toThrow(
      expect.objectContaining({ exitCode: 1, message: expect.stringMatching(message) }),
    );
  });
});
