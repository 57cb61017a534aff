import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import {
  buildEmployee,
  buildInstitution,
  buildProject,
  buildTimespan,
  buildWorkday,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { formatLocalDate, parseLocalDate } from '@stechuhr/worktime';
import type { BrowseQuery } from '../src/domain/browse.js';
import { monthPages } from '../src/store/browse/month-pages.js';
import { startRecords, type RunningRecords } from './support/running-records.js';

const institution = buildInstitution();
const ours = { institution_id: institution.id };
const staff = Array.from({ length: 3 }, () => buildEmployee(ours));
/** 31 January to 1 March. */
const DATES = Array.from({ length: 30 }, (_, day) => formatLocalDate(20_484 + day));
const PAGE = 7;

let servers: TestServers;
let records: RunningRecords;
let database: MongoDb;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  const project = buildProject(ours);
  const workdays = staff.flatMap((employee, e) =>
    DATES.filter((_, d) => (d + e) % 3 > 0).map((date) => {
      const times = { started_at: `${date}T08:00:00`, ended_at: `${date}T12:00:00` };
      const timespans = Array.from({ length: e }, () => buildTimespan({ ...times, project_id: project.id }));
      return buildWorkday({ ...ours, ...times, employee_id: employee.id, date, timespans });
    }),
  );
  expect((await records.importLines(institution, project, ...staff, ...workdays)).rejected).toEqual([]);
  const url = servers.mongodbUrl;
  database = await connectMongo({ url, database: servers.database('records'), logger: createLogger('test', 'fatal') });
});
afterAll(async () => {
  await database.close();
  await records.stop();
  await servers.stop();
});

const ALL = {
  ids: undefined,
  employeeIds: undefined,
  from: undefined,
  until: undefined,
  modifiedSince: undefined,
  q: undefined,
  archived: undefined,
  order: [],
  isBrief: false,
};

describe('a month with more entries than are held in memory', () => {
  it.each<[string, Partial<BrowseQuery>]>([
    ['without a filter', {}],
    ['backwards', { order: [{ field: 'date', descending: true }] }],
    ['in a range of days', { from: parseLocalDate('2026-02-03'), until: parseLocalDate('2026-02-20') }],
    ['of an employee', { employeeIds: [staff[1]?.id ?? ''] }],
    ['since a change', { modifiedSince: 0, order: [{ field: 'date', descending: true }] }],
    ['since a change that nothing has', { modifiedSince: 9_000_000_000 }],
  ])('has the same pages as a smaller one %s', async (_, filter) => {
    const caller = { institutionId: institution.id, accountId: institution.id, departmentIds: null, projectIds: null };
    const [bounded, usual] = [monthPages(database, 10), monthPages(database)];
    for (const unit of ['workdays', 'timespans'] as const) {
      const pageOf = (from: typeof usual, offset: number) => from[unit](caller, { ...ALL, ...filter, offset, limit: PAGE });
      const { count } = await pageOf(usual, 0);
      for (let offset = 0; offset <= count; offset += PAGE - 2) expect(await pageOf(bounded, offset)).toEqual(await pageOf(usual, offset));
    }
  });
});
