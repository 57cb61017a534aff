import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectBus } from '@stechuhr/bus';
import { ingestSubject } from '@stechuhr/contracts';
import { createLogger } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { commentLine } from './support/daily-reports.js';
import { call, query } from './support/http.js';
import { Organization } from './support/organization.js';
import { startTestPlatform, type TestPlatform } from './support/platform.js';
import { placesOf } from './support/stored.js';
import { finishedTask } from './support/tasks.js';

const [ADA, EVA] = [1, 2];
const SITE = 0x21;
const [ANNA, BERT] = [0x31, 0x32];
const DATE = '2026-05-04';

const RULE = { missing_type: 'vacation', amount: '1.00', priority: 5, available_from: '2026-02-01', expires_at: '2026-12-31' };

/** A firm in whose texts a unique word occurs, so that its data can be found in every store. */
class Firm extends Organization {
  constructor(
    number: number,
    readonly word: string,
  ) {
    super(number);
  }

  lines(): object[] {
    return [
      { ...this.institution(), name: `${this.word} Bau` },
      { ...this.account(ADA, 'admin'), first_name: this.word },
      { ...this.account(EVA, 'manager'), first_name: this.word },
      { ...this.department(0x11, `${this.word} Nord`) },
      { ...this.project(SITE, 'S 1'), name: `${this.word}platz` },
      this.employee(ANNA, 'Anna', `${this.word}-Zander`),
      this.employee(BERT, 'Bert', this.word, { archived_on: '2026-01-31' }),
      this.contract(0x41, ANNA),
      this.shift(0x100, ANNA, { date: DATE, start: '08:00', end: '16:00', comment: `bei ${this.word}` }),
      this.absence(0x200, ANNA, { starts_on: '2026-05-11', ends_on: '2026-05-12' }),
      this.form(),
      commentLine(this, 0x61, { project: SITE, date: DATE, author: ADA }, `Kran von ${this.word}`),
    ];
  }

  private form(): object {
    const fields = [{ id: 'comments', type: 'string', label: this.word }];
    return { kind: 'daily_report_form', id: this.id(0x51), institution_id: this.id(0), valid_from: '2026-01-01', fields };
  }
}

const gone = new Firm(61, 'Zylinderhut');
const staying = new Firm(62, 'Quittenbaum');

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({}, ['tasks', 'worker', 'daily-reports', 'webhooks'], { mongodb: true });
  for (const firm of [gone, staying]) await fill(firm);
});
afterAll(() => platform.stop());

/** Writes the firm's word into every text that users can enter. */
async function fill(firm: Firm): Promise<void> {
  const { rejected } = await platform.importLines(firm.lines());
  expect(rejected).toEqual([]);
  const bus = await connectBus({ servers: platform.infra.natsUrl, name: 'erp', logger: createLogger('erp', 'fatal') });
  const live = { ...firm.project(0x22, 'S 2'), name: `${firm.word} live` };
  await bus.publish(ingestSubject(firm.id(0), 'project'), JSON.stringify(live));
  await bus.close();
  for (const account of [ADA, EVA]) {
    const { token } = await platform.issue(firm.id(account), { name: `von ${firm.word}` });
    const at = (path: string): string => `${platform.baseUrl}/${path}`;
    const post = (path: string, body: object) =>
      call(at(path), { method: 'POST', token, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const columns = `last-name|value:as>${firm.word}`;
    const parameters = { daterange: '2026-05-01|2026-05-31', columns, is_async: 'true' };
    await finishedTask(at(`exports/generic/?${query(parameters)}`), token);
    if (account === ADA) {
      // The host does not exist, so deliveries remain pending.
      const webhook = { url: `https://${firm.word.toLowerCase()}.invalid/${firm.word}`, event_types: ['absence-rules.rule.created'] };
      expect((await post('webhooks/', webhook)).status).toBe(201);
      const suppression = { code: 'insufficient-break', employee_id: firm.id(ANNA), valid_from: '2026-05-01' };
      expect((await post('reviews/suppressions/', suppression)).status).toBe(201);
    }
    const rule = { ...RULE, employee_id: firm.id(ANNA), label: `${firm.word} ${String(account)}` };
    expect((await post('timestamps/absence-rules/', rule)).status).toBe(201);
    const { json } = await post('daily-reports/entries/upload-photo-token/', { filename: 'a.jpg', filetype: 'image/jpeg', filesize: 20 });
    await upload(json as Form, firm.word);
  }
}

interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

async function upload({ url, fields }: Form, content: string): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([content], { type: 'image/jpeg' }), 'a.jpg');
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(204);
}

/** All places that contain data of the firm, and from which a deletion has to remove it. */
const HELD = [
  ...[
    'absence_rules.absence_rules',
    'daily_reports.descriptors',
    'daily_reports.entries',
    'daily_reports.forms',
    'daily_reports.uploads',
    'gateway.tokens',
  ],
  ...['absences', 'accounts', 'contracts', 'departments', 'employees', 'institutions', 'projects', 'workmonths'].map(
    (kind) => `records.${kind}`,
  ),
  'reviews.suppressions',
  'tasks.tasks',
  'webhooks.deliveries',
  'webhooks.webhooks',
].map((collection) => `mongodb stechuhr_${collection}`);
const ELSEWHERE = ['nats STECHUHR_EVENTS', 's3 exports', 's3 uploads'];

/**
 * Places that may keep ids for a limited time: markers of deleted records for 30 days, events for 14, a deleted task, webhook or institution for an
 * hour, an upload form for a week, a cache for minutes.
 */
const IDS_STAY = [
  'mongodb stechuhr_daily_reports.deleted_institutions',
  'mongodb stechuhr_daily_reports.uploads',
  'mongodb stechuhr_records.deletion_markers',
  'mongodb stechuhr_tasks.tasks',
  'mongodb stechuhr_webhooks.deleted_institutions',
  'mongodb stechuhr_webhooks.webhooks',
  'nats STECHUHR_EVENTS',
  'redis',
];

/** Waits until only the expected places contain the texts; deletions reach other services by events. @returns the remaining places */
async function leftOf(texts: readonly string[], expected: readonly string[] = []): Promise<readonly string[]> {
  let left: readonly string[] = [];
  const isGone = async (): Promise<boolean> => {
    left = (await placesOf(platform, texts)).filter((place) => !expected.includes(place));
    return left.length === 0;
  };
  await waitFor(isGone).catch(() => undefined);
  return left;
}

const remove = (kind: string, id: string): Promise<unknown> =>
  platform.importLines([{ kind, id, institution_id: gone.id(0), deleted: true }]);

it('searches all places that contain data', async () => {
  expect(await placesOf(platform, [gone.word])).toEqual(
    expect.arrayContaining(['mongodb stechuhr_tasks.tasks', 's3 exports', 's3 uploads']),
  );
  expect(await placesOf(platform, [gone.id(0)])).toEqual(expect.arrayContaining([...HELD, ...ELSEWHERE, 'redis']));
});

it('removes names and records of a deleted employee', async () => {
  for (const employee of [ANNA, BERT]) await remove('employee', gone.id(employee));
  const kept = ['daily_reports.entries', 'gateway.tokens', 'records.institutions'].map((collection) => `mongodb stechuhr_${collection}`);
  expect(await placesOf(platform, [gone.word])).toEqual(expect.arrayContaining(kept));
  // Export files are kept for a day; deliveries of webhooks contain ids, like events.
  expect(
    await leftOf(
      [gone.id(ANNA), gone.id(BERT), `${gone.word}-Zander`, `Bert ${gone.word}`],
      ['mongodb stechuhr_webhooks.deliveries', 'nats STECHUHR_EVENTS', 's3 exports'],
    ),
  ).toEqual([]);
});

it('removes tokens, tasks and files of a deleted account', async () => {
  await remove('account', gone.id(EVA));
  // Photos are kept, because they belong to the report.
  expect(await leftOf([gone.id(EVA)], [...IDS_STAY, 's3 uploads'])).toEqual([]);
});

it('removes all data of a deleted institution', async () => {
  await remove('institution', gone.id(0));
  expect(await leftOf([gone.word])).toEqual([]);
  expect(await leftOf([gone.id(0)], IDS_STAY)).toEqual([]);
});

it('keeps the data of another institution', async () => {
  expect(await placesOf(platform, [staying.id(0)])).toEqual(expect.arrayContaining([...HELD, ...ELSEWHERE]));
});
