import { beforeAll, describe, expect, it } from '@jest/globals';
import { commentLine, entryLine, SIGNATURE, statusLine, type Place } from './support/daily-reports.js';
import { call, query } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(37);
const other = new Organization(38);
const [ADMIN, BUILDER, LEADER] = [1, 2, 3];
const [ALPHA, BETA, SILENT] = [0x21, 0x22, 0x23];
const [ANNA, BERT] = [0x31, 0x32];
const NAMES: Readonly<Record<string, string>> = { [org.id(ALPHA)]: 'A', [org.id(BETA)]: 'B' };

const at = (project: number, date: string, author: number | null = ADMIN): Place => ({ project, date, author });
const photoKey = `uploads/${org.id(0)}/${org.id(BUILDER)}/${org.id(0x99)}.jpg`;
const thumbKey = photoKey.replace('.jpg', '.thumb.jpg');

/** Entries in the order of creation; lists are compared by their ids. */
const entries = [
  commentLine(org, 0x41, at(BETA, '2026-04-30'), 'alt'),
  commentLine(org, 0x42, at(BETA, '2026-05-04'), 'neu'),
  entryLine(org, 0x43, at(ALPHA, '2026-05-04'), {
    field_id: 'weather',
    time: '07:00',
    temperature: 4,
    weather_condition: 'cloudy',
    wind: [3, 90],
  }),
  entryLine(org, 0x44, at(ALPHA, '2026-05-04', BUILDER), {
    field_id: 'weather',
    time: '07:00',
    temperature: 5.5,
    weather_condition: 'sunny',
  }),
  entryLine(org, 0x45, at(ALPHA, '2026-05-04', null), { field_id: 'employee-working-times', on_behalf_of_id: org.id(ANNA), hours: 7.25 }),
  entryLine(org, 0x46, at(ALPHA, '2026-05-04'), { field_id: 'employee-working-times', on_behalf_of_id: org.id(BERT), hours: 8 }),
  commentLine(org, 0x47, at(ALPHA, '2026-05-04'), 'zu viel'),
  entryLine(org, 0x48, at(ALPHA, '2026-05-04'), { field_id: 'comments', value: 'zu viel', burned: true }),
  entryLine(org, 0x49, at(ALPHA, '2026-05-04', BUILDER), {
    field_id: 'photos',
    image_id: 'p1',
    image_key: photoKey,
    thumb_key: thumbKey,
    latitude: 48.1,
    longitude: 11.5,
    taken_at: '2026-05-04T10:15:00',
  }),
  entryLine(org, 0x4a, at(ALPHA, '2026-05-04', BUILDER), { field_id: 'photos', image_id: 'p2' }),
  entryLine(org, 0x4b, at(ALPHA, '2026-05-04', BUILDER), { field_id: 'signatures', on_behalf_of_id: org.id(ANNA), image: SIGNATURE }),
  entryLine(org, 0x4c, at(ALPHA, '2026-05-04'), { field_id: 'subcontractors', name: 'Kran | AG', employees: 2, hours: 16 }),
  entryLine(org, 0x4d, at(ALPHA, '2026-05-04', null), { field_id: 'activities', on_behalf_of_id: org.id(ANNA), text: 'Mauern' }),
  commentLine(org, 0x4e, at(ALPHA, '2026-05-05'), 'fertig'),
];

const lines = [
  org.institution(),
  { ...org.account(ADMIN, 'admin'), first_name: 'Ada', last_name: 'Chefin' },
  { ...org.account(BUILDER, 'manager'), first_name: 'Bob', last_name: 'Polier' },
  { ...org.account(LEADER, 'manager'), project_ids: [org.id(ALPHA)] },
  { ...org.project(ALPHA, 'HB-1'), name: 'Neubau', color: '#112233', address: 'Am Bau 1', cost_center: '4711', client: 'Stadt' },
  { ...org.project(BETA, 'HB-2'), archived: true },
  { ...org.project(SILENT, 'HB-3'), daily_reports_enabled: false },
  org.employee(ANNA, 'Anna', 'Zander', { custom_fields: { position: 'Maurerin' }, account_id: org.id(ADMIN) }),
  org.employee(BERT, 'Bert', 'Adam'),
  ...entries,
  commentLine(org, 0x4f, at(SILENT, '2026-05-04'), 'hört niemand'),
  statusLine(org, 0x61, at(ALPHA, '2026-05-05'), 'submitted'),
  statusLine(org, 0x62, at(BETA, '2026-05-04'), 'closed'),
  statusLine(org, 0x63, at(BETA, '2026-04-30'), 'closed'),
  statusLine(org, 0x64, at(BETA, '2026-04-30'), 'archived'),
  other.institution(),
  other.account(ADMIN, 'admin'),
  other.project(ALPHA, 'X-1'),
  commentLine(other, 0x41, at(ALPHA, '2026-05-04'), 'geheim'),
];

interface Page<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

interface EntryJson {
  readonly id: string;
  readonly group_id: string;
  readonly group_count: number;
  readonly [field: string]: unknown;
}

let platform: UsedPlatform;
let admin: string;
let leader: string;
let foreigner: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { rejected } = await platform.importLines(lines);
  expect(rejected).toEqual([]);
  admin = await platform.issueToken(org.id(ADMIN));
  leader = await platform.issueToken(org.id(LEADER));
  foreigner = await platform.issueToken(other.id(ADMIN));
});
async function list<T>(group: 'reports' | 'entries', parameters: Readonly<Record<string, string>>, token = admin): Promise<Page<T>> {
  const { status, json } = await call(`${platform.baseUrl}/daily-reports/${group}/?${query(parameters)}`, { token });
  expect(status).toBe(200);
  return json as Page<T>;
}

/** Returns reports as texts such as `A04`: project and day of the month. */
async function reports(parameters: Readonly<Record<string, string>>, token = admin): Promise<string> {
  const { results } = await list<{ tag_id: string; date: string }>('reports', parameters, token);
  return results.map(({ tag_id, date }) => `${NAMES[tag_id] ?? '?'}${date.slice(-2)}`).join(' ');
}

/** Returns the last two digits of the ids of entries. */
async function ids(parameters: Readonly<Record<string, string>>, token = admin): Promise<string> {
  const { results } = await list<EntryJson>('entries', parameters, token);
  return results.map(({ id }) => id.slice(-2)).join(' ');
}

const [A, B] = [org.id(ALPHA), org.id(BETA)];
const NO_PROJECT = org.id(0x7f);
const ALL_REPORTS = 'A05 A04 B04 B30';
const ALL = '4e 4d 4c 4b 4a 49 48 47 46 45 44 43 42 41';
const BAD_RANGES = [
  '|',
  '2026-05-04|',
  '|2026-05-04',
  '2026-05-04',
  '2026-05-04|2026-05-05|',
  '2026-05-04|x',
  '2026-05-05|2026-05-04',
  '4.5.2026|5.5.2026',
];

describe('the list of reports', () => {
  const cases: readonly [Readonly<Record<string, string>>, string][] = [
    [{}, ALL_REPORTS],
    [{ date_from: '2026-05-04' }, 'A05 A04 B04'],
    [{ date_to: '2026-05-04' }, 'A04 B04 B30'],
    [{ date_from: '2026-05-01', date_to: '2026-05-04' }, 'A04 B04'],
    [{ date_from: '2026-05-05', date_to: '2026-05-04' }, ''],
    [{ date_from: '2026-02-30', date_to: '2026-05-04' }, 'A04 B04 B30'],
    [{ date_from: 'gestern', date_to: '04.05.2026' }, ALL_REPORTS],
    [{ daterange: '2026-05-04|2026-05-04' }, 'A04 B04'],
    [{ daterange: '2026-05-04|2026-05-05', date_from: '2026-05-05', date_to: '2026-04-30' }, 'A05 A04 B04'],
    [{ daterange: '', date_from: '2026-05-05' }, 'A05'],
    ...BAD_RANGES.map((daterange): [Readonly<Record<string, string>>, string] => [{ daterange, date_from: '2026-05-05' }, '']),
    [{ projects: A }, 'A05 A04'],
    [{ projects: `${B.toUpperCase()}|x||${A}` }, ALL_REPORTS],
    [{ projects: `${B}|${NO_PROJECT}` }, 'B04 B30'],
    [{ projects: NO_PROJECT }, ''],
    [{ projects: org.id(SILENT) }, ''],
    [{ projects: 'x|y' }, ''],
    [{ projects: '' }, ALL_REPORTS],
    [{ status: 'draft' }, 'A04'],
    [{ status: 'submitted|archived' }, 'A05 B30'],
    [{ status: 'closed|nonsense' }, 'B04'],
    [{ status: 'nonsense' }, ALL_REPORTS],
    [{ status: '' }, ALL_REPORTS],
    [{ status: 'draft|closed', projects: B, date_from: '2026-05-01' }, 'B04'],
    [{ order: 'date' }, 'B30 A04 B04 A05'],
    [{ order: '-date' }, ALL_REPORTS],
    [{ limit: '2' }, 'A05 A04'],
    [{ limit: '2', offset: '3' }, 'B30'],
    [{ limit: '0', offset: '-1' }, ALL_REPORTS],
    [{ limit: 'x', offset: 'x' }, ALL_REPORTS],
    [{ offset: '4' }, ''],
    [{ q: 'x', ids: 'x', archived: 'true', grouped: '1', tags: 'x' }, ALL_REPORTS],
  ];
  it.each(cases)('%j', async (parameters, expected) => {
    expect(await reports(parameters)).toBe(expected);
  });

  it('has the computed fields', async () => {
    const { results } = await list<object>('reports', { projects: A, date_to: '2026-05-04' });
    const weather = { time: '07:00', temperature: 5.5, weather_condition: 'sunny' };
    expect(results).toEqual([
      {
        id: `${A}|2026-05-04`,
        date: '2026-05-04',
        tag_id: A,
        status: 'draft',
        tag: { id: A, name: 'Neubau', code: 'HB-1', color: '#112233' },
        address: 'Am Bau 1',
        cost_center: '4711',
        client: 'Stadt',
        contributor_count: 2,
        employees: [
          { id: org.id(BERT), first_name: 'Bert', last_name: 'Adam' },
          { id: org.id(ANNA), first_name: 'Anna', last_name: 'Zander' },
        ],
        total_hours: 15.25,
        weather: [weather],
        values: [
          { type: 'weather', ...weather },
          { type: 'employee-working-times', hours: 8, employee_account_id: '', employee_name: 'Bert Adam', employee_position: '' },
          { type: 'subcontractors', name: 'Kran | AG', employees: 2, hours: 16, comment: null },
          { type: 'activities', text: 'Mauern' },
          expect.objectContaining({ type: 'image', image_id: 'p2', image_key: null, image_url: null, thumb_key: null, thumb_url: null }),
          { type: 'signature', image: SIGNATURE, role: null },
        ],
      },
    ]);
  });

  it('has links to the adjacent pages that keep the other parameters', async () => {
    const { count, next, previous } = await list('reports', { status: 'draft|closed|archived', limit: '1', offset: '1' });
    const address = `${platform.baseUrl}/daily-reports/reports/?status=draft%7Cclosed%7Carchived&limit=1&offset=`;
    expect([count, next, previous]).toEqual([3, `${address}2`, `${address}0`]);
  });
});

describe('the list of entries', () => {
  const cases: readonly [Readonly<Record<string, string>>, string][] = [
    [{}, ALL],
    [{ tags: B }, '42 41'],
    [{ tags: `${A}||${B.toUpperCase()}` }, ALL],
    [{ tags: '' }, ALL],
    [{ tags: `${B}|x` }, ''],
    [{ tags: `${B}|${NO_PROJECT}` }, ''],
    [{ tags: `${B}|${org.id(SILENT)}` }, ''],
    [{ tags: `${B}|${other.id(ALPHA)}` }, ''],
    [{ field_id: 'weather' }, '44 43'],
    [{ field_id: 'comments', tags: A }, '4e 48 47'],
    [{ field_id: 'nonsense' }, ''],
    [{ field_id: '' }, ALL],
    [{ daterange: '2026-04-30|2026-04-30' }, '41'],
    [{ daterange: '2026-04-01|2026-05-04', field_id: 'comments' }, '48 47 42 41'],
    [{ daterange: '' }, ALL],
    ...BAD_RANGES.map((daterange): [Readonly<Record<string, string>>, string] => [{ daterange }, '']),
    [{ grouped: '1' }, '4e 4d 4c 4b 4a 49 48 46 45 44 42 41'],
    [{ grouped: 'true' }, ALL],
    [{ grouped: '0' }, ALL],
    [{ grouped: '1', tags: A, daterange: '2026-05-04|2026-05-04', field_id: 'comments' }, '48'],
    [{ ids: `${org.id(0x43)}|x|${org.id(0x41)}` }, '43 41'],
    [{ ids: org.id(0x43), grouped: '1' }, '43'],
    [{ ids: org.id(0x4f) }, ''],
    [{ ids: other.id(0x41) }, ''],
    [{ ids: 'x' }, ''],
    [{ ids: '' }, ALL],
    [{ order: 'date', field_id: 'comments' }, '41 48 47 42 4e'],
    [{ order: '-date' }, ALL],
    [{ limit: '3', offset: '1' }, '4d 4c 4b'],
    [{ limit: '-5', offset: 'x' }, ALL],
    [{ offset: '14' }, ''],
    [{ projects: B, status: 'draft', date_from: '2030-01-01', q: 'x' }, ALL],
  ];
  it.each(cases)('%j', async (parameters, expected) => {
    expect(await ids(parameters)).toBe(expected);
  });

  it('counts the matching versions of a group', async () => {
    const counted = async (parameters: Readonly<Record<string, string>>) => {
      const { results } = await list<EntryJson>('entries', parameters);
      return results.map(({ id, group_count }) => `${id.slice(-2)}:${String(group_count)}`).join(' ');
    };
    expect(await counted({ field_id: 'weather' })).toBe('44:2 43:2');
    expect(await counted({ field_id: 'weather', grouped: '1' })).toBe('44:2');
    expect(await counted({ ids: `${org.id(0x43)}|${org.id(0x46)}` })).toBe('46:1 43:1');
    expect(await counted({ field_id: 'comments', tags: A, grouped: '1' })).toBe('4e:1 48:2');
  });

  it('has the fields of its type, and names', async () => {
    const { results } = await list<EntryJson>('entries', { tags: A, daterange: '2026-05-04|2026-05-04', grouped: '1' });
    const byId = new Map(results.map((entry) => [entry.id.slice(-2), entry]));
    const noon = '2026-05-04T16:00:00';
    expect(byId.get('44')).toEqual({
      id: org.id(0x44),
      group_id: `2026-05-04|${A}|07:00`,
      group_count: 2,
      field_id: 'weather',
      type: 'weather',
      date: '2026-05-04',
      tag_id: A,
      author_id: org.id(BUILDER),
      author_name: 'Bob Polier',
      on_behalf_of_id: null,
      on_behalf_of_name: null,
      burned: false,
      submitted_at: noon,
      created_at: noon,
      modified_at: noon,
      time: '07:00',
      temperature: 5.5,
      weather_condition: 'sunny',
    });
    expect(byId.get('45')).toMatchObject({
      group_id: `2026-05-04|${A}|${org.id(ANNA)}`,
      author_id: null,
      author_name: null,
      on_behalf_of_id: org.id(ANNA),
      on_behalf_of_name: 'Anna Zander',
      submitted_at: null,
      hours: 7.25,
      employee_account_id: org.id(ADMIN),
      employee_name: 'Anna Zander',
      employee_position: 'Maurerin',
    });
    expect(byId.get('48')).toMatchObject({ burned: true, group_id: `2026-05-04|${A}||zu viel`, value: 'zu viel' });
    expect(byId.get('4b')).toMatchObject({ type: 'signature', group_id: `2026-05-04|${A}|${org.id(ANNA)}`, image: SIGNATURE });
    expect(byId.get('4c')).toMatchObject({
      group_id: `2026-05-04|${A}||Kran | AG`,
      name: 'Kran | AG',
      employees: 2,
      hours: 16,
      comment: null,
    });
    expect(byId.get('4d')).toMatchObject({ group_id: `2026-05-04|${A}|${org.id(ANNA)}|Mauern`, text: 'Mauern' });
    expect(byId.get('49')).toMatchObject({
      image_id: 'p1',
      image_key: photoKey,
      latitude: 48.1,
      longitude: 11.5,
      taken_at: '2026-05-04T10:15:00',
    });
    expect(byId.get('4a')).toMatchObject({
      image_key: null,
      image_url: null,
      thumb_key: null,
      thumb_url: null,
      latitude: null,
      taken_at: null,
    });
  });

  it('returns URLs of photos that are signed for an hour', async () => {
    const { results } = await list<EntryJson>('entries', { ids: org.id(0x49) });
    for (const [url, key] of [
      [results[0]?.['image_url'], photoKey],
      [results[0]?.['thumb_url'], thumbKey],
    ]) {
      const { origin, pathname, searchParams } = new URL(String(url));
      expect([origin, pathname]).toEqual([platform.run.infra.s3.endpoint, `/${platform.run.infra.s3.bucket}/${String(key)}`]);
      expect([searchParams.get('X-Amz-Expires'), searchParams.get('response-content-type')]).toEqual(['3600', 'image/jpeg']);
      // The photo was not uploaded, so a valid signature leads to status 404.
      expect((await fetch(String(url))).status).toBe(404);
    }
  });
});

describe('invalid parameters', () => {
  it.each([
    ['reports', 'status'],
    ['reports', 'date|id'],
    ['entries', 'created_at'],
    ['entries', '-'],
  ] as const)('%s in the order of %s', async (group, order) => {
    const field = order.split('|').at(-1) ?? '';
    const answer = await call(`${platform.baseUrl}/daily-reports/${group}/?${query({ order, daterange: 'x' })}`, { token: admin });
    expect(answer).toMatchObject({ status: 400, json: { $query: [`"${field}" is not a valid ordering field.`] } });
  });
});

describe('other accounts', () => {
  it('see only their visible projects', async () => {
    expect(await reports({}, leader)).toBe('A05 A04');
    expect(await reports({ projects: B }, leader)).toBe('');
    expect(await ids({ tags: B }, leader)).toBe('');
    expect(await ids({ tags: `${A}|${B}` }, leader)).toBe('');
    expect(await ids({ ids: `${org.id(0x41)}|${org.id(0x4e)}` }, leader)).toBe('4e');
  });

  it('of another institution see only its reports', async () => {
    expect((await list('reports', {}, foreigner)).count).toBe(1);
    expect((await list('entries', {}, foreigner)).results).toMatchObject([{ value: 'geheim' }]);
    for (const parameters of [{ projects: A }, { tags: A }, { ids: org.id(0x41) }]) {
      const found = await list('projects' in parameters ? 'reports' : 'entries', parameters, foreigner);
      expect(found).toEqual({ count: 0, next: null, previous: null, results: [] });
    }
  });
});
