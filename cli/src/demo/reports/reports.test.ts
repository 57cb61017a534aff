import { describe, expect, it } from '@jest/globals';
import { addDays, parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import { generateDemo, type DemoOptions } from '../generate.js';
import { drawPhoto, drawSignature } from '../pictures/draw.js';
import type { DemoRecord, ReportEntryRecord, ReportStatusRecord } from '../records.js';
import type { Picture } from './pictures.js';

/** A Thursday: the days before were worked. */
const TODAY = dayOf('2026-11-19');
const DEFAULTS: DemoOptions = { seed: 'stechuhr', employees: 25, months: 1, today: TODAY, hasStarted: true };

function dayOf(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new Error(`${text} is no date.`);
  return day;
}

function generate(options: Partial<DemoOptions> = {}) {
  const demo = generateDemo({ ...DEFAULTS, ...options });
  const records = [...demo.records];
  const ofKind = <K extends DemoRecord['kind']>(kind: K) =>
    records.filter((record): record is Extract<DemoRecord, { kind: K }> => record.kind === kind);
  return { ...demo.reports(), entries: ofKind('daily_report_entry'), statuses: ofKind('daily_report_status'), ofKind };
}

const keyOf = ({ tag_id, date }: ReportEntryRecord | ReportStatusRecord) => `${tag_id}|${date}`;

describe('the reports of the demo', () => {
  const { days, entries, statuses, pictures, ofKind } = generate();

  it('are of the last ten days, on sites with daily reports, where a crew was', () => {
    expect(days.length).toBeGreaterThanOrEqual(10);
    const enabled = new Set(ofKind('project').flatMap(({ id, daily_reports_enabled }) => (daily_reports_enabled ? [id] : [])));
    for (const { tagId, date, age } of days) {
      expect(enabled).toContain(tagId);
      expect([age >= 1 && age <= 10, dayOf(date) + age]).toEqual([true, TODAY]);
      const crew = ofKind('workday').filter(
        (workday) => workday.date === date && workday.timespans.some(({ project_id }) => project_id === tagId),
      );
      expect(crew.length).toBeGreaterThanOrEqual(3);
    }
  });

  it('have weather at the three times of the form, and entries of every type that people write', () => {
    for (const { tagId, date } of days) {
      const weather = entries.filter((entry) => keyOf(entry) === `${tagId}|${date}` && entry.field_id === 'weather');
      expect(weather).toMatchObject([{ time: '07:00' }, { time: '12:00' }, { time: '17:00' }]);
    }
    const fields = new Set(entries.map(({ field_id }) => field_id));
    expect([...fields].sort()).toEqual(['comments', 'deliveries', 'employee-working-times', 'materials', 'subcontractors', 'weather']);
    const known = ofKind('daily_report_form')
      .at(-1)
      ?.fields.map(({ id }) => id);
    for (const field of fields) expect(known).toContain(field);
    expect(entries.some(({ burned }) => burned)).toBe(true);
    expect(new Set(entries.map(({ author_id }) => author_id)).size).toBe(3);
  });

  it('refer to accounts and employees that exist, and have ids of their own', () => {
    const [accounts, employees] = (['account', 'employee'] as const).map((kind) => new Set(ofKind(kind).map(({ id }) => id)));
    const all = [...entries, ...pictures.map(entryOf)];
    for (const { author_id, on_behalf_of_id } of all) {
      expect(accounts).toContain(author_id);
      if (on_behalf_of_id !== null) expect(employees).toContain(on_behalf_of_id);
    }
    expect(new Set([...all, ...statuses].map(({ id }) => id)).size).toBe(all.length + statuses.length);
  });

  it('go their way: draft yesterday, then submitted, closed, archived, and returned once in a while', () => {
    const last = new Map(statuses.map((status) => [keyOf(status), status.status]));
    const reached = (from: number, until: number) => {
      return new Set(days.flatMap(({ tagId, date, age }) => (age >= from && age <= until ? [last.get(`${tagId}|${date}`)] : [])));
    };
    expect([reached(1, 1), reached(4, 7), reached(8, 10)]).toEqual([new Set([undefined]), new Set(['closed']), new Set(['archived'])]);
    expect(statuses.find(({ status }) => status === 'draft')?.reason).toMatch(/\S/);
    expect(statuses.every(({ at }) => at < '2026-11-19')).toBe(true);
  });

  it('stay what they are when it runs on a later day', () => {
    for (const later of [1, 6].map((ahead) => generate({ today: addDays(TODAY, ahead) }))) {
      const now = new Map([...later.entries, ...later.statuses].map((record) => [record.id, record]));
      const window = new Set(later.days.map(({ tagId, date }) => `${tagId}|${date}`));
      for (const record of [...entries, ...statuses].filter((each) => window.has(keyOf(each)))) expect(now.get(record.id)).toEqual(record);
    }
  });

  it('are none where nobody leads a site', () => {
    expect(generate({ employees: 3 }).days).toEqual([]);
  });
});

describe('the pictures of the demo', () => {
  const { pictures } = generate();
  const ofType = (type: Picture['type']) => pictures.filter((picture) => picture.type === type);

  it('are some photos and signatures of the latest reports', () => {
    expect(ofType('photo').length).toBeGreaterThanOrEqual(6);
    expect(ofType('photo').length).toBeLessThanOrEqual(24);
    expect(ofType('signature').length).toBeGreaterThanOrEqual(4);
    expect(pictures.every(({ report }) => report.age <= 6)).toBe(true);
    expect(new Set(pictures.map(({ svg }) => svg())).size).toBe(pictures.length);
  });

  it('are the same whenever they are drawn', () => {
    expect(generate().pictures.map(({ svg }) => svg())).toEqual(pictures.map(({ svg }) => svg()));
  });

  it('are small JPEGs with a preview, and PNGs', async () => {
    const { photo, thumb } = await drawPhoto(ofType('photo')[0]?.svg() ?? '');
    expect([photo.subarray(0, 3).toString('hex'), thumb.subarray(0, 3).toString('hex')]).toEqual(['ffd8ff', 'ffd8ff']);
    expect(photo.byteLength).toBeLessThan(60_000);
    expect(photo.byteLength).toBeGreaterThan(10_000);
    expect(thumb.byteLength).toBeLessThan(15_000);
    const signature = await drawSignature(ofType('signature')[0]?.svg() ?? '');
    expect(signature).toMatch(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/);
    expect(signature.length).toBeLessThan(20_000);
  });
});

function entryOf(picture: Picture): ReportEntryRecord {
  return picture.type === 'photo' ? picture.entry({ image_key: 'k', thumb_key: 't' }) : picture.entry('');
}
