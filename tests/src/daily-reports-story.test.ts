import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { ingestSubject } from '@stechuhr/contracts';
import { createLogger } from '@stechuhr/service';
import { buildTimespan, buildWorkday, waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { extractText, getDocumentProxy } from 'unpdf';
import { entryLine, SIGNATURE, statusLine, type Place } from './support/daily-reports.js';
import { call, open, query, type Answer } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(47);
const [ADA, BEN] = [1, 2];
const SITE = 0x21;
const [ANNA, BERT] = [0x31, 0x32];
const TAG = org.id(SITE);
/** Days before and after the first of May, on which the site changes its form. */
const [BEFORE, AFTER] = ['2026-04-30', '2026-05-04'];
const HOURS = 'employee-working-times';

const hoursField = { id: HOURS, type: HOURS, label: 'Stunden', config: { autofill_from_tracking: true } };
const signatures = { id: 'signatures', type: 'signature', label: 'Abnahme' };

const form = (n: number, validFrom: string, fields: readonly object[]): object => ({
  ...{ kind: 'daily_report_form', id: org.id(n), institution_id: org.id(0) },
  ...{ valid_from: validFrom, fields },
});

const [SPRING_FORM, SUMMER_FORM] = [0x51, 0x52];

const springForm = form(SPRING_FORM, '2026-04-01', [hoursField, { id: 'notes', type: 'string', label: 'Notizen' }]);
const summerForm = form(SUMMER_FORM, '2026-05-01', [
  { id: 'work', type: 'activities', label: 'Arbeiten', config: { autofill_from_tracking: true } },
  hoursField,
  { id: 'hindrances', type: 'string', label: 'Behinderungen' },
  signatures,
]);

/** Returns a workday with six hours on the site and a comment. */
function shift(n: number, employee: number, comment: string): object {
  const times = { started_at: `${AFTER}T08:00:00`, ended_at: `${AFTER}T14:00:00` };
  const timespans = [buildTimespan({ ...times, id: org.id(n + 1), project_id: TAG, comment })];
  return buildWorkday({ id: org.id(n), institution_id: org.id(0), employee_id: org.id(employee), date: AFTER, ...times, timespans });
}

const by = (author: number, date = AFTER): Place => ({ project: SITE, date, author });

let platform: UsedPlatform;
let bus: Bus;
let events: SubjectWatch;
let approver: string;
let editor: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  // Subscribes before the import, because its events are published asynchronously.
  events = await watchSubjects(platform.run.infra.nats, `stechuhr.events.${org.id(0)}.daily-reports.>`);
  const { rejected } = await platform.importLines([
    ...[org.institution(), org.account(ADA, 'admin'), { ...org.account(BEN, 'manager'), first_name: 'Ben', last_name: 'Bauer' }],
    { ...org.project(SITE, 'Süd 7'), name: 'Südring' },
    ...[org.employee(ANNA, 'Anna', 'Zander'), org.employee(BERT, 'Bert', 'Adam')],
    ...[shift(0x100, ANNA, 'Schalung'), shift(0x200, BERT, 'Bewehrung')],
    ...[springForm, entryLine(org, 0x61, by(ADA, BEFORE), { field_id: 'notes', value: 'Zaun gestellt' })],
  ]);
  expect(rejected).toEqual([]);
  bus = await connectBus({ servers: platform.run.infra.nats, name: 'apps', logger: createLogger('apps', 'fatal') });
  approver = await platform.issueToken(org.id(ADA));
  editor = (await platform.issue(org.id(BEN), { scopes: ['daily_reports:view', 'daily_reports:edit'] })).token;
});
afterAll(async () => {
  await events.stop();
  await bus.close();
});

const ask = (path: string, token = editor): Promise<Answer> => call(`${platform.baseUrl}/daily-reports/${path}`, { token });
const autofill = (token: string): Promise<Answer> => {
  const body = JSON.stringify({ tag: TAG, date: AFTER });
  const headers = { 'content-type': 'application/json' };
  return call(`${platform.baseUrl}/daily-reports/reports/autofill/`, { method: 'POST', token, body, headers });
};

/** Publishes a live object like an app. */
const publish = (line: object): Promise<void> =>
  bus.publish(ingestSubject(org.id(0), (line as { kind: string }).kind), JSON.stringify(line));

interface EntryJson {
  readonly field_id: string;
  readonly burned: boolean;
  readonly group_count: number;
  readonly author_name: string | null;
  readonly on_behalf_of_name: string | null;
  readonly hours?: number;
  readonly text?: string;
  readonly value?: string;
}

/** Returns the current entries of a day as texts: field, employee, value, author, and number of versions. */
async function content(date: string): Promise<string[]> {
  const { json } = await ask(`entries/?${query({ tags: TAG, daterange: `${date}|${date}`, grouped: '1' })}`);
  const said = ({ hours, text, value }: EntryJson) => String(hours ?? text ?? value ?? '✓');
  return (json as { results: EntryJson[] }).results
    .filter(({ burned }) => !burned)
    .map((one) => `${one.field_id} ${one.on_behalf_of_name ?? '-'} ${said(one)} ${one.author_name ?? '-'} ${String(one.group_count)}`)
    .sort();
}

async function reports(): Promise<Record<string, unknown>[]> {
  return ((await ask('reports/')).json as { results: Record<string, unknown>[] }).results;
}

const statusOf = async (): Promise<unknown> => (await ask(`reports/status/?tag=${TAG}&date=${AFTER}`)).json;
const becomes = (expected: readonly string[]) =>
  waitFor(async () => ((await content(AFTER)).join() === [...expected].sort().join() ? true : undefined));

it('begins with a day under the first form', async () => {
  expect(await content(BEFORE)).toEqual(['notes - Zaun gestellt Ada Muster 1']);
});

it('gets a new form during the project, which does not change earlier days', async () => {
  await publish(summerForm);
  // Only messages of the same record are ordered: an entry could be handled before the new form, and be validated with the previous form.
  await events.next(({ subject, text }) => subject.endsWith('form.configured') && text.includes(org.id(SUMMER_FORM)));
  await publish(entryLine(org, 0x62, by(ADA), { field_id: 'hindrances', value: 'Kran fehlt' }));
  await publish(entryLine(org, 0x63, by(BEN), { field_id: 'notes', value: 'Das Feld gibt es nicht mehr' }));
  await publish(entryLine(org, 0x64, by(BEN), { field_id: HOURS, on_behalf_of_id: org.id(ANNA), hours: 4 }));
  await becomes([`${HOURS} Anna Zander 4 Ben Bauer 1`, 'hindrances - Kran fehlt Ada Muster 1']);
  expect(await content(BEFORE)).toEqual(['notes - Zaun gestellt Ada Muster 1']);
});

it('accepts a correction and a deletion by another author, and keeps the history', async () => {
  await publish(entryLine(org, 0x65, by(ADA), { field_id: HOURS, on_behalf_of_id: org.id(ANNA), hours: 5.5 }));
  await publish(entryLine(org, 0x66, by(BEN), { field_id: 'hindrances', value: 'Kran fehlt', burned: true }));
  await publish(entryLine(org, 0x67, by(BEN), { field_id: 'signatures', on_behalf_of_id: org.id(BERT), image: SIGNATURE }));
  await becomes([`${HOURS} Anna Zander 5.5 Ada Muster 2`, 'signatures Bert Adam ✓ Ben Bauer 1']);
  const history = await ask(`entries/?${query({ tags: TAG, daterange: `${AFTER}|${AFTER}`, field_id: HOURS })}`);
  expect((history.json as { results: EntryJson[] }).results.map(({ hours }) => hours)).toEqual([5.5, 4]);
  const [day] = await reports();
  expect(day).toMatchObject({ date: AFTER, status: 'draft', contributor_count: 2, total_hours: 5.5 });
});

it('is submitted, after which autofill requires the permission to approve', async () => {
  await publish(statusLine(org, 0x71, by(BEN), 'submitted'));
  await waitFor(async () => ((await reports())[0]?.status === 'submitted' ? true : undefined));
  expect(await statusOf()).toEqual({ tag_id: TAG, date: AFTER, status: 'submitted' });
  expect(await autofill(editor)).toMatchObject({ status: 403 });
  expect(await autofill(approver)).toMatchObject({ status: 200, json: { tag_id: TAG, date: AFTER, filled: ['work', HOURS] } });
  expect(await autofill(approver)).toMatchObject({ status: 200, json: { filled: [] } });
  expect(await content(AFTER)).toEqual(
    [
      `${HOURS} Anna Zander 5.5 Ada Muster 2`,
      `${HOURS} Bert Adam 6 - 1`,
      'signatures Bert Adam ✓ Ben Bauer 1',
      'work Anna Zander Schalung - 1',
      'work Bert Adam Bewehrung - 1',
    ].sort(),
  );
});

it('is approved, and listed with all of its content', async () => {
  await publish(statusLine(org, 0x72, by(ADA), 'closed'));
  await waitFor(async () => ((await reports())[0]?.status === 'closed' ? true : undefined));
  const [day, before] = await reports();
  expect(day).toMatchObject({
    id: `${TAG}|${AFTER}`,
    tag: { code: 'Süd 7', name: 'Südring' },
    total_hours: 11.5,
    contributor_count: 2,
    employees: [
      { first_name: 'Bert', last_name: 'Adam' },
      { first_name: 'Anna', last_name: 'Zander' },
    ],
    values: [
      { type: 'activities', text: 'Bewehrung' },
      { type: HOURS, hours: 6 },
      { type: 'signature', image: SIGNATURE },
    ],
  });
  expect(before).toMatchObject({ date: BEFORE, status: 'draft', values: [{ type: 'string', value: 'Zaun gestellt' }] });
});

it('is available as a PDF', async () => {
  const response = await open(`${platform.baseUrl}/daily-reports/reports/${TAG}%7C${AFTER}/pdf/`, { token: editor });
  const bytes = await buffer(response);
  expect(response.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringContaining(`Tagesbericht-Sd7-${AFTER}.pdf`),
  });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  const words = [
    'Südring',
    '04.05.2026',
    'Abgeschlossen',
    'Arbeiten',
    'Schalung',
    'Stunden',
    'Anna Zander',
    '5,5',
    'Abnahme',
    'Seite 1 von 1',
  ];
  for (const word of words) expect(text).toContain(word);
  for (const gone of ['Kran fehlt', 'Das Feld gibt es nicht mehr']) expect(text).not.toContain(gone);
});

it('is unchanged after an operator has recomputed it', async () => {
  const before = await reports();
  const { exitCode, stdout } = await platform.cli(['rebuild-reports', '--json', '--institution', org.id(0)]);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { rebuilt: 2 }]);
  expect(await reports()).toEqual(before);
});

it('published each event once', async () => {
  const expected = {
    'form.configured': 2,
    'entry.recorded': 1 + 4 + 3,
    'entry.burned': 1,
    'report.status-changed': 2,
    'report.autofilled': 1,
    'report.rendered': 1,
  };
  const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
  // Events are delivered at least once; the id identifies duplicates.
  const distinctEvents = () => [
    ...new Map(events.messages.map(({ text, subject }) => [(JSON.parse(text) as { id: string }).id, subject])).values(),
  ];
  await waitFor(() => (distinctEvents().length >= total ? true : undefined));
  const verbs = distinctEvents().map((subject) => subject.split('.').slice(-2).join('.'));
  expect(Object.fromEntries([...Map.groupBy(verbs, (verb) => verb)].map(([verb, all]) => [verb, all.length]))).toEqual(expected);
});
