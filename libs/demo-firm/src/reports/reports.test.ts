import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { addDays, parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import { generateDemo, type DemoOptions } from '../generate.js';
import type { DemoRecord, ReportEntryRecord, ReportStatusRecord } from '../records.js';

/** A Thursday, so the previous days were workdays. */
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
  const { days, entries, statuses, photos, ofKind } = generate();

  it('exist for the last ten days, for sites with daily reports on which a crew worked', () => {
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

  it('have weather at the three times of the form, and entries of all manual types', () => {
    for (const { tagId, date } of days) {
      const weather = entries.filter((entry) => keyOf(entry) === `${tagId}|${date}` && entry.field_id === 'weather');
      expect(weather).toMatchObject([{ time: '07:00' }, { time: '12:00' }, { time: '17:00' }]);
    }
    const fields = new Set(entries.map(({ field_id }) => field_id));
    const written = ['comments', 'deliveries', 'employee-working-times', 'materials', 'signatures', 'subcontractors', 'weather'];
    expect([...fields].sort()).toEqual(written);
    const known = ofKind('daily_report_form')
      .at(-1)
      ?.fields.map(({ id }) => id);
    for (const field of fields) expect(known).toContain(field);
    expect(entries.some(({ burned }) => burned)).toBe(true);
    expect(new Set(entries.map(({ author_id }) => author_id)).size).toBe(3);
  });

  it('refer to existing accounts and employees, and have unique ids', () => {
    const [accounts, employees] = (['account', 'employee'] as const).map((kind) => new Set(ofKind(kind).map(({ id }) => id)));
    const all = [...entries, ...photos.map((photo) => photo.entry({ image_key: 'k', thumb_key: 't' }))];
    for (const { author_id, on_behalf_of_id } of all) {
      expect(accounts).toContain(author_id);
      if (on_behalf_of_id !== null) expect(employees).toContain(on_behalf_of_id);
    }
    expect(new Set([...all, ...statuses].map(({ id }) => id)).size).toBe(all.length + statuses.length);
  });

  it('change their status: draft yesterday, then submitted, closed, archived, and sometimes returned', () => {
    const last = new Map(statuses.map((status) => [keyOf(status), status.status]));
    const reached = (from: number, until: number) => {
      return new Set(days.flatMap(({ tagId, date, age }) => (age >= from && age <= until ? [last.get(`${tagId}|${date}`)] : [])));
    };
    expect([reached(1, 1), reached(4, 7), reached(8, 10)]).toEqual([new Set([undefined]), new Set(['closed']), new Set(['archived'])]);
    expect(statuses.find(({ status }) => status === 'draft')?.reason).toMatch(/\S/);
    expect(statuses.every(({ at }) => at < '2026-11-19')).toBe(true);
  });

  it('do not change in later runs', () => {
    for (const later of [1, 6].map((ahead) => generate({ today: addDays(TODAY, ahead) }))) {
      const now = new Map([...later.entries, ...later.statuses].map((record) => [record.id, record]));
      const window = new Set(later.days.map(({ tagId, date }) => `${tagId}|${date}`));
      for (const record of [...entries, ...statuses].filter((each) => window.has(keyOf(each)))) {
        const isSignature = record.kind === 'daily_report_entry' && record.field_id === 'signatures';
        // Signatures are not repeated shortly before a report is archived.
        if (!isSignature || now.has(record.id)) expect(now.get(record.id)).toEqual(record);
      }
    }
  });

  it('do not exist for sites without a foreman', () => {
    expect(generate({ employees: 3 }).days).toEqual([]);
  });
});

describe('the pictures of the demo', () => {
  const { photos, entries } = generate();
  const signatures = entries.flatMap((entry) => ('image' in entry ? [String(entry.image)] : []));

  it('include photos and signatures of the latest reports', () => {
    expect(photos.length).toBeGreaterThanOrEqual(6);
    expect(photos.length).toBeLessThanOrEqual(24);
    expect(photos.every(({ report }) => report.age <= 4)).toBe(true);
    expect(signatures.length).toBeGreaterThanOrEqual(4);
    expect(new Set(signatures).size).toBe(3);
  });

  it('show a site of the trade, with a different view in each photo of a report', () => {
    for (const report of new Set(photos.map((photo) => photo.report))) {
      const files = photos.filter((photo) => photo.report === report).map(({ file }) => file.pathname);
      expect(new Set(files.map((path) => path.at(-'1.jpg'.length))).size).toBe(files.length);
      for (const path of files) expect(path).toContain(`/${report.trade}-`);
    }
  });

  it('are small JPEGs with a preview, and PNGs for signatures', () => {
    for (const { file, previewFile } of photos) {
      const [photo, preview] = [readFileSync(file), readFileSync(previewFile)];
      expect([photo.toString('hex', 0, 3), preview.toString('hex', 0, 3)]).toEqual(['ffd8ff', 'ffd8ff']);
      expect([photo.length > 10_000 && photo.length < 40_000, preview.length < 6_000]).toEqual([true, true]);
    }
    for (const signature of signatures) expect(signature).toMatch(/^data:image\/png;base64,iVBORw0KGgo[A-Za-z0-9+/]+=*$/);
  });
});
