import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tasksV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { call, open } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';

const LIST = '/api/v2/asynchronous-tasks/tasks/';
const { TaskStatus: Status } = tasksV1;

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0' });
  // The spec defines no scope for tasks, so any token may be used.
  token = (await gateway.issue({ scopes: ['daily_reports:view'] })).token;
});
afterAll(() => gateway.stop());

const waiting: tasksV1.Task = {
  id: newId(),
  status: Status.TASK_STATUS_CREATED,
  label: 'Export generic',
  description: undefined,
  action: 'generic_export',
  createdAt: 1_772_434_800,
  startedAt: undefined,
  finishedAt: undefined,
  result: undefined,
};
const skipped = { id: newId(), name: 'Anna Abel', reason: 'archived' };
const finished: tasksV1.Task = {
  ...waiting,
  id: newId(),
  status: Status.TASK_STATUS_FINISHED,
  description: '12 Zeilen',
  startedAt: 1_772_434_801,
  finishedAt: 1_782_434_861,
  result: { file: 'exports/x/1.csv', skipped: [skipped] },
};
const waitingJson = {
  id: waiting.id,
  status: 'created',
  label: 'Export generic',
  description: null,
  action: 'generic_export',
  created_at: '2026-03-02T08:00:00',
  started_at: null,
  finished_at: null,
  result: null,
};

beforeEach(() => {
  gateway.backends.tasks.tasks.clear();
  gateway.backends.tasks.before = async () => undefined;
  for (const task of [waiting, finished]) gateway.backends.tasks.tasks.set(task.id, task);
});

describe('the list', () => {
  it('is a page with links that keep the other parameters', async () => {
    const answer = await call(gateway.port, `${LIST}?limit=2&offset=2&order=-created_at&ids=a%7Cb`, { token });
    const link = (offset: number) => `http://127.0.0.1:${gateway.port}${LIST}?limit=2&offset=${offset}&order=-created_at&ids=a%7Cb`;
    expect(answer).toMatchObject({
      status: 200,
      json: { count: 250, next: link(4), previous: link(0), results: [waitingJson, { id: finished.id }] },
    });
    expect(gateway.backends.tasks.asked).toMatchObject({ limit: 2, offset: 2, parameters: { order: '-created_at', ids: 'a|b' } });
  });

  // A task contains all employees who are not in its file. A thousand such tasks would not fit into memory.
  it('is sent as its tasks arrive', async () => {
    const { promise: later, resolve } = Promise.withResolvers<void>();
    gateway.backends.tasks.before = (task) => (task === finished ? later : Promise.resolve());
    const response = await open(gateway.port, LIST, { token });
    resolve();
    expect(JSON.parse(await text(response))).toMatchObject({ count: 250, results: [waitingJson, { id: finished.id }] });
  });

  it('rejects an unknown order', async () => {
    expect(await call(gateway.port, `${LIST}?order=label`, { token })).toMatchObject({
      status: 400,
      json: { $query: ['"label" is not a valid ordering field.'] },
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('has no %s', async (method) => {
    const answer = await call(gateway.port, LIST, { token, method });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  });
});

describe('a task', () => {
  it('has the fields of the spec in its order', async () => {
    const answer = await call(gateway.port, `${LIST}${finished.id.toUpperCase()}/`, { token });
    expect(answer.text).toBe(
      JSON.stringify({
        ...waitingJson,
        id: finished.id,
        status: 'finished',
        description: '12 Zeilen',
        started_at: '2026-03-02T08:00:01',
        finished_at: '2026-06-26T02:47:41',
        result: { file: 'exports/x/1.csv', skipped: [skipped] },
      }),
    );
  });

  it('is deleted', async () => {
    expect(await call(gateway.port, `${LIST}${waiting.id}/`, { token, method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(gateway.backends.tasks.tasks.has(waiting.id)).toBe(false);
  });

  it.each(['GET', 'DELETE'])('that does not exist leads to 404 on %s', async (method) => {
    for (const id of [newId(), 'x']) {
      expect(await call(gateway.port, `${LIST}${id}/`, { token, method })).toMatchObject({ status: 404, json: { detail: 'Not found.' } });
    }
  });

  it.each(['POST', 'PUT', 'PATCH'])('has no %s', async (method) => {
    const answer = await call(gateway.port, `${LIST}${waiting.id}/`, { token, method });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, DELETE, HEAD, OPTIONS' } });
  });

  it('needs a token', async () => {
    expect(await call(gateway.port, `${LIST}${waiting.id}/`)).toMatchObject({ status: 401 });
  });
});
