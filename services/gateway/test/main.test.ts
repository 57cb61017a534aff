import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { startOtlpReceiver, waitFor, type OtlpReceiver } from '@stechuhr/testing';
import { call } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';

const ROOT = join(import.meta.dirname, '../../..');
const SERVER_SPAN = 2;
const CLIENT_SPAN = 3;

interface Line {
  readonly msg: string;
  readonly http?: string;
  readonly request_id?: string;
  readonly route?: string;
  readonly trace_id?: string;
}

let servers: TestGateway;
let receiver: OtlpReceiver;
let child: ChildProcessWithoutNullStreams;
let port: number;
const output: string[] = [];
const lines = () => output.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);

beforeAll(async () => {
  servers = await startTestGateway();
  receiver = await startOtlpReceiver();
  child = spawn(process.execPath, ['--import', '@stechuhr/service/telemetry', join(ROOT, 'services/gateway/dist/main.js')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...servers.environment, ...receiver.environment, LOG_LEVEL: 'debug' },
  });
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => output.push(line));
  const ready = await waitFor(() => lines().find(({ msg }) => msg === 'ready'));
  port = Number(ready.http?.split(':').at(-1));
});
afterAll(async () => {
  child.kill('SIGKILL');
  await receiver.stop();
  await servers.stop();
});

/** Returns the span of the request and its log line. */
async function traceOf(target: string, token?: string) {
  const id = newId();
  await call(port, target, { ...(token === undefined ? {} : { token }), headers: { 'x-request-id': id } });
  const line = await waitFor(() => lines().find(({ request_id }) => request_id === id));
  const span = await receiver.next(
    ({ traceId, kind, scope }) => traceId === line.trace_id && kind === SERVER_SPAN && scope.endsWith('-http'),
  );
  return { line, span };
}

describe('the process', () => {
  it('creates one trace for a request and the calls that it causes, and logs its id', async () => {
    const { token } = await servers.issue();
    const { line, span } = await traceOf('/api/v2/exports/generic/?daterange=x', token);
    expect(line).toMatchObject({ msg: 'request', route: '/api/v2/exports/generic/' });
    expect(span).toMatchObject({ name: 'GET /api/v2/exports/generic/', attributes: { 'http.route': '/api/v2/exports/generic/' } });
    for (const method of ['GetAccount', 'RunExport']) {
      await receiver.next(({ traceId, kind, name }) => traceId === span.traceId && kind === CLIENT_SPAN && name.includes(method));
    }
    await receiver.next(({ traceId, scope }) => traceId === span.traceId && scope.endsWith('-mongodb'));
  });

  it.each([
    ['/api/v2/exports?a=1', '/api/v2/exports'],
    ['/api/v2/nowhere/', undefined],
    ['/api/v2/exports/', '/api/v2/exports/'],
  ])('names the route of %s %s', async (target, route) => {
    const { line, span } = await traceOf(target);
    expect(line.route).toBe(route);
    expect(span.attributes['http.route']).toBe(route);
  });

  it('keeps tokens out of its logs and spans', async () => {
    const { token } = await servers.issue();
    const path = `/api/v2/exports/generic/`;
    servers.backends.runExport = () => {
      throw new Error('broken');
    };
    for (const target of [path, '/api/v2/', `/${token}/`, `${path}?token=${token}`]) {
      await traceOf(target, token);
      await traceOf(target, `${token}x`);
    }
    expect(output.join('\n')).not.toContain(token);
    const spans = receiver.spans.map(({ attributes: { 'url.path': path, 'url.query': query, ...rest }, ...span }) => ({ ...span, rest }));
    expect(JSON.stringify(spans)).not.toContain(token);
  });

  it('stops on SIGTERM', async () => {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(lines().map(({ msg }) => msg)).toEqual(expect.arrayContaining(['stopping', 'stopped']));
  });
});
