import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildTimespan, buildWorkday } from '@stechuhr/testing';
import { addDays, formatLocalDate, formatLocalDateTime, instantAt, parseLocalDate } from '@stechuhr/worktime';
import { call, query } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(36);
const ADMIN = 1;
const PROJECTS = [0x21, 0x22];
const EMPLOYEES = [0x31, 0x32, 0x33, 0x34];
/** Days around the end of a month and around both nights in which the clocks change. */
const FIRST_DAYS = ['2026-03-27', '2026-04-29', '2026-10-23'].map((text) => parseLocalDate(text) ?? Number.NaN);
const DAYS = FIRST_DAYS.flatMap((first) => [0, 1, 2, 3].map((offset) => addDays(first, offset)));
const MINUTE = 60;

/** Returns a deterministic pseudo-random generator (a linear congruential generator, Numerical Recipes). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns a random shift, which may cross midnight: two work timespans with or without a project, and a break. */
function shift(n: number, employee: number, day: number, below: (limit: number) => number): object {
  const start = instantAt(day, ([4, 6, 9, 14, 19, 22][below(6)] ?? 0) * 3600) + below(3600);
  const middle = start + (60 + below(240)) * MINUTE;
  const end = middle + (60 + below(240)) * MINUTE;
  const pause = start + below(end - start - 45 * MINUTE);
  const text = (instant: number) => formatLocalDateTime(instant);
  const span = (at: number, type: string, from: number, to: number) => {
    const project = type === 'break' ? undefined : PROJECTS[below(3)];
    const times = { started_at: text(from), ended_at: text(to) };
    return buildTimespan({ ...times, id: org.id(n + at), type, project_id: project === undefined ? null : org.id(project) });
  };
  return buildWorkday({
    ...{ id: org.id(n), institution_id: org.id(0), employee_id: org.id(employee), date: formatLocalDate(day) },
    ...{ started_at: text(start), ended_at: text(end) },
    timespans: [span(1, 'work', start, middle), span(2, 'work', middle, end), span(3, 'break', pause, pause + 45 * MINUTE)],
  });
}

const below = chance(20_261_121);
const shifts = DAYS.flatMap((day, at) => EMPLOYEES.map((employee, who) => shift(0x1000 + at * 256 + who * 16, employee, day, below)));

let platform: UsedPlatform;
let token: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { rejected } = await platform.importLines([
    org.institution(),
    org.account(ADMIN, 'admin'),
    ...PROJECTS.map((project) => org.project(project, `P-${String(project)}`)),
    ...EMPLOYEES.map((employee) => org.employee(employee, 'Anna', `Nr${String(employee)}`)),
    ...shifts,
  ]);
  expect(rejected).toEqual([]);
  token = await platform.issueToken(org.id(ADMIN));
});
async function get<T>(path: string, parameters: Readonly<Record<string, string>>): Promise<T> {
  const { status, json } = await call(`${platform.baseUrl}${path}?${query(parameters)}`, { token });
  expect(status).toBe(200);
  return json as T;
}

async function autofill(project: number, date: string): Promise<readonly string[]> {
  const body = JSON.stringify({ tag: org.id(project), date });
  const headers = { 'content-type': 'application/json' };
  const { status, json } = await call(`${platform.baseUrl}/daily-reports/reports/autofill/`, { method: 'POST', token, headers, body });
  expect(status).toBe(200);
  return (json as { filled: readonly string[] }).filled;
}

interface HoursEntry {
  readonly tag_id: string;
  readonly on_behalf_of_id: string;
  readonly hours: number;
}

interface HoursRow {
  readonly 'project-id': string | null;
  readonly 'employee-id': string;
  readonly value: number;
}

describe('the hours that autofill writes', () => {
  it('equal the hours by project in the export, on each day and for all employees', async () => {
    let compared = 0;
    for (const day of [...DAYS, ...FIRST_DAYS.map((first) => addDays(first, 4))]) {
      const date = formatLocalDate(day);
      for (const project of PROJECTS) await autofill(project, date);
      const range = { daterange: `${date}|${date}` };
      const { results } = await get<{ results: HoursEntry[] }>('/daily-reports/entries/', { ...range, field_id: 'employee-working-times' });
      const columns = 'project-id|employee-id|value';
      const wanted = { ...range, types: 'project:hours', columns, export_format: 'json', response_only: 'true' };
      const rows = (await get<HoursRow[]>('/exports/generic/', wanted)).filter((row) => row['project-id'] !== null);
      const written = results.map(({ tag_id, on_behalf_of_id, hours }) => `${tag_id} ${on_behalf_of_id} ${String(hours)}`).sort();
      expect(written).toEqual(rows.map((row) => `${row['project-id'] ?? ''} ${row['employee-id']} ${String(row.value)}`).sort());
      compared += rows.length;
    }
    expect(compared).toBeGreaterThan(40);
    const again = await Promise.all(PROJECTS.flatMap((project) => DAYS.map((day) => autofill(project, formatLocalDate(day)))));
    expect(again.flat()).toEqual([]);
  });
});
