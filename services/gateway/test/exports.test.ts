import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commonV1, tasksV1, type exportsV1 } from '@stechuhr/contracts';
import { AppError, newId } from '@stechuhr/kernel';
import { waitFor } from '@stechuhr/testing';
import { exportOf, taskAnswer } from './support/backends.js';
import { call, open } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';

const EXPORT = '/api/v2/exports/generic/';
const CHUNK = 'x'.repeat(64 * 1024);

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0', EXPORT_RATE_LIMIT_PER_MINUTE: '0' });
  token = (await gateway.issue()).token;
});
afterAll(() => gateway.stop());

/** An endless source of chunks. It counts them and records when the reader stops. */
function endless() {
  const state = { sent: 0, ended: false };
  const chunks = async function* () {
    try {
      for (;;) {
        state.sent += 1;
        yield CHUNK;
      }
    } finally {
      state.ended = true;
    }
  };
  return { state, chunks };
}

/** Waits until a number stays the same for a while, and returns it. */
async function settled(read: () => number): Promise<number> {
  let last = -1;
  let since = 0;
  return waitFor(() => {
    since = read() === last ? since + 1 : 0;
    last = read();
    return since >= 15 && last > 0 ? last : undefined;
  });
}

/** Far below the minute after which a client that reads too slowly is disconnected. */
const AT_ONCE_MS = 20_000;

describe('a run', () => {
  it('is requested with the caller and with parameters that are decoded once', async () => {
    const account = gateway.backends.addAccount(commonV1.Role.ROLE_DEPARTMENT_LEADER);
    const visibility = { role: commonV1.Role.ROLE_DEPARTMENT_LEADER, departmentIds: [newId()], projects: { projectIds: [newId()] } };
    gateway.backends.accounts.set(account.id, { ...account, visibility });
    const issued = await gateway.admin.issue({ accountId: account.id });
    let asked: exportsV1.RunExportRequest | undefined;
    gateway.backends.runExport = (request) => {
      asked = request;
      return exportOf(['a']);
    };
    const query = 'daterange=2026-03-01%7C2026-03-31&export_format=csv:delimiter%3E%253B&types=a&types=b+c&config=&a[b]=c&q=100%&nul=%00';
    expect(await call(gateway.port, `/api/v2/exports/payroll_b/?${query}`, { token: issued.token })).toMatchObject({ status: 200 });
    expect(asked).toEqual({
      caller: { institutionId: account.institutionId, accountId: account.id, visibility },
      exporter: 'payroll_b',
      parameters: {
        daterange: '2026-03-01|2026-03-31',
        export_format: 'csv:delimiter>%3B',
        types: 'b c',
        'a[b]': 'c',
        q: '100%',
        nul: '\0',
      },
      headerOnly: false,
      existingOnly: false,
      withoutReview: false,
    });
  });

  it('is sent as a download', async () => {
    gateway.backends.runExport = () => exportOf(['ä;b\r\n', '', 'c;d\r\n'], { fileName: 'generic-2026-03-01-2026-03-31.csv', skipped: 3 });
    const answer = await call(gateway.port, EXPORT, { token });
    expect(answer).toMatchObject({ status: 200, text: 'ä;b\r\nc;d\r\n' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="generic-2026-03-01-2026-03-31.csv"; filename*=UTF-8''generic-2026-03-01-2026-03-31.csv`,
      'cache-control': 'no-store',
      'x-export-skipped': '3',
    });
  });

  it('is sent as an envelope', async () => {
    gateway.backends.runExport = () =>
      exportOf(['{"request":{},', '"response":[]}'], { contentType: 'application/json', fileName: undefined });
    const answer = await call(gateway.port, EXPORT, { token });
    expect(answer).toMatchObject({ status: 200, json: { request: {}, response: [] } });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'x-export-skipped': '0' });
    expect(answer.headers).not.toHaveProperty('content-disposition');
  });

  it('may have no bytes', async () => {
    gateway.backends.runExport = () => exportOf([]);
    expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status: 200, text: '' });
  });
});

describe('an asynchronous run', () => {
  const task = { id: newId(), createdAt: 1_772_434_800, status: tasksV1.TaskStatus.TASK_STATUS_CREATED, skipped: 2 };

  it('returns its task', async () => {
    gateway.backends.runExport = () => taskAnswer({ ...task, finishedAt: undefined, target: undefined }, true);
    const answer = await call(gateway.port, `${EXPORT}?is_async=true`, { token });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.text).toBe(`{"id":"${task.id}","created_at":"2026-03-02T08:00:00","finished_at":null,"status":"created","target":null}`);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-export-skipped': '2',
      'cache-control': 'no-store',
    });
    expect(answer.headers).not.toHaveProperty('content-disposition');
  });

  it('returns the address of its file', async () => {
    const finished = {
      ...task,
      status: tasksV1.TaskStatus.TASK_STATUS_FINISHED,
      finishedAt: task.createdAt + 61,
      target: 'https://s3/x?y=z',
    };
    gateway.backends.runExport = () => taskAnswer(finished, false);
    expect(await call(gateway.port, `${EXPORT}?is_async=true`, { token })).toMatchObject({
      json: { status: 'finished', finished_at: '2026-03-02T08:01:01', target: 'https://s3/x?y=z' },
    });
  });
});

describe('HEAD', () => {
  it('validates, returns the headers and runs nothing', async () => {
    const asked: boolean[] = [];
    gateway.backends.runExport = ({ headerOnly }) => {
      asked.push(headerOnly);
      return exportOf([]);
    };
    const answer = await call(gateway.port, EXPORT, { token, method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'x-export-skipped': '0' });
    expect(answer.headers['content-disposition']).toContain('generic.csv');
    expect(asked).toEqual([true]);
  });

  it('is rejected like GET', async () => {
    gateway.backends.runExport = () => {
      throw AppError.invalid({ daterange: ['This field is required.'] });
    };
    expect(await call(gateway.port, EXPORT, { token, method: 'HEAD' })).toMatchObject({ status: 400, text: '' });
  });
});

describe('a failure before the first byte', () => {
  it.each<[string, () => AsyncIterable<exportsV1.RunExportResponse>, number, object]>([
    [
      'instead of the header',
      () => failing([], AppError.invalid({ types: ['"x" is not a valid choice.'] })),
      400,
      { types: ['"x" is not a valid choice.'] },
    ],
    [
      'after the header',
      () => exportOf(failing([], new AppError('unavailable', 'records is unavailable.'))),
      503,
      { detail: 'records is unavailable.' },
    ],
    ['nothing at all', () => failing([]), 500, { detail: 'A server error occurred.' }],
  ])('is answered properly: %s', async (_, run, status, json) => {
    gateway.backends.runExport = run;
    const answer = await call(gateway.port, EXPORT, { token });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual(json);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers).not.toHaveProperty('content-disposition');
    expect(answer.headers).not.toHaveProperty('x-export-skipped');
  });
});

describe('a failure after the first byte', () => {
  it('aborts the response', async () => {
    gateway.backends.runExport = () => exportOf(failing([CHUNK], new AppError('unavailable', 'records is unavailable.')));
    const response = await open(gateway.port, EXPORT, { token });
    expect(response.statusCode).toBe(200);
    await expect(once(response.resume(), 'end')).rejects.toThrow();
    expect(response.complete).toBe(false);
  });

  it('aborts it visibly for HTTP/1.0 clients too, which take the end of the connection for the end of the file', async () => {
    gateway.backends.runExport = () => exportOf(failing([CHUNK], new Error('broken')));
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`GET ${EXPORT} HTTP/1.0\r\nAuthorization: Token ${token}\r\n\r\n`);
    await expect(once(socket.resume(), 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a client', () => {
  it('that reads slowly slows down the source to its own rate', async () => {
    const { state, chunks } = endless();
    gateway.backends.runExport = () => exportOf(chunks());
    const response = await open(gateway.port, EXPORT, { token });
    const first = await settled(() => state.sent);
    expect(first).toBeLessThan(200);
    let read = 0;
    for await (const chunk of response) {
      read += (chunk as Buffer).byteLength;
      if (read > 600 * CHUNK.length) break;
    }
    expect(state.sent).toBeGreaterThan(600);
    await waitFor(() => state.ended);
  });

  it('that disconnects stops the source at once', async () => {
    const { state, chunks } = endless();
    gateway.backends.runExport = () => exportOf(chunks());
    const response = await open(gateway.port, EXPORT, { token });
    response.once('error', () => undefined);
    await once(response, 'data');
    response.destroy();
    await waitFor(() => state.ended, { timeoutMs: AT_ONCE_MS });
    const sent = state.sent;
    expect(await settled(() => state.sent)).toBe(sent);
  });

  it('that disconnects before the first byte ends the call at once', async () => {
    const calls: AbortSignal[] = [];
    gateway.backends.runExport = async function* (_, { signal }) {
      calls.push(signal);
      await once(signal, 'abort');
      yield { part: undefined };
    };
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`GET ${EXPORT} HTTP/1.1\r\nHost: x\r\nX-Request-Id: left\r\nAuthorization: Token ${token}\r\n\r\n`);
    const signal = await waitFor(() => calls[0]);
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await waitFor(() => signal.aborted, { timeoutMs: AT_ONCE_MS });
    const { fields } = await waitFor(() => gateway.logs.find((line) => 'request_id' in line.fields && line.fields.request_id === 'left'));
    expect(fields).toMatchObject({ status: 499, complete: false });
  });
});

/** Yields the chunks and then fails or ends. */
async function* failing<T>(chunks: readonly T[], failure?: Error): AsyncGenerator<T, void, undefined> {
  yield* chunks;
  if (failure !== undefined) throw failure;
}
