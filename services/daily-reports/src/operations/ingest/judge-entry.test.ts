import { describe, expect, it } from '@jest/globals';
import { createLineJudge } from '@stechuhr/ingest';
import { builtInForm, type Form } from '../../domain/form.js';
import { entryKind, type EntryLine } from '../../domain/lines/entry-line.js';
import { judgeEntry } from './judge-entry.js';

const ID = '11111111-1111-4111-8111-111111111111';
const ADA = '22222222-2222-4222-8222-222222222222';
const MAX = { id: '33333333-3333-4333-8333-333333333333', accountId: null, firstName: 'Max', lastName: 'Maurer', position: 'Polier' };

const SIGNATURE = 'data:image/png;base64,AAAA';

function read(given: object): EntryLine {
  const judged = entryKind.judge({ tag_id: ID, date: '2026-03-02', author_id: ADA, on_behalf_of_id: MAX.id, ...given });
  if ('reason' in judged) throw new Error(judged.reason);
  return judged.content.fields;
}

function judge(given: object, form: Form = builtInForm) {
  return judgeEntry(read(given), { institutionId: ID, form, employee: MAX });
}

describe('judgeEntry', () => {
  it('takes missing fields from the employee', () => {
    const hours = { field_id: 'employee-working-times', hours: 8 };
    expect(judge(hours)).toEqual({
      value: { type: 'employee-working-times', hours: 8, employeeAccountId: '', employeeName: 'Max Maurer', employeePosition: 'Polier' },
    });
    expect(judge({ ...hours, employee_name: 'Maxi', employee_position: '' })).toMatchObject({
      value: { employeeName: 'Maxi', employeePosition: '' },
    });
  });

  it.each([
    [
      { field_id: 'weather', time: '1200' },
      { time: '12:00', temperature: null, weatherCondition: null, wind: null },
    ],
    [
      { field_id: 'weather', time: '12:00', cloud_cover: 40, wind: [3.5, 359] },
      { cloudCover: 40, wind: [3.5, 359] },
    ],
    [
      { field_id: 'subcontractors', name: ' Kran ', employees: 0 },
      { name: 'Kran', employees: 0, hours: null, comment: null },
    ],
    [
      { field_id: 'comments', value: ' a ' },
      { type: 'string', value: 'a' },
    ],
    [
      { field_id: 'photos', image_id: 'i' },
      { type: 'image', imageKey: null, takenAt: null },
    ],
    [
      { field_id: 'signatures', image: SIGNATURE },
      { image: SIGNATURE, role: null },
    ],
    [
      { field_id: 'signatures', image: SIGNATURE, role: ' Bauleitung ' },
      { image: SIGNATURE, role: 'Bauleitung' },
    ],
    [
      { field_id: 'signatures', image: SIGNATURE, role: ' ' },
      { image: SIGNATURE, role: null },
    ],
    [{ field_id: 'photos', image_id: 'i', image_key: `uploads/${ID}/${ADA}/i.jpg` }, { imageKey: `uploads/${ID}/${ADA}/i.jpg` }],
  ])('reads %j', (given, value) => {
    expect(judge(given)).toMatchObject({ value });
  });

  it.each([
    [{ field_id: 'employee-working-times' }, { hours: 0, employeeName: 'Max Maurer' }],
    [{ field_id: 'subcontractors', name: 'Kran' }, { employees: 0 }],
    [{ field_id: 'signatures' }, { image: '' }],
  ])('accepts a tombstone with only the fields of its group: %j', (given, value) => {
    expect(judge({ ...given, burned: true })).toMatchObject({ value });
    expect(judge(given)).toMatchObject({ mayChange: false });
  });

  it('accepts signatures of up to exactly 200 kB', () => {
    const signature = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`;
    const image = signature(204_800);
    expect(judge({ field_id: 'signatures', image })).toMatchObject({ value: { image } });
    expect(judge({ field_id: 'signatures', image: signature(204_801) })).toMatchObject({ reason: 'image may not be larger than 200 kB.' });
  });

  it('marks lines that only the form rejects as retryable', () => {
    const form: Form = { ...builtInForm, fields: [{ id: 'comments', type: 'image', label: 'Fotos', config: {} }] };
    expect(judge({ field_id: 'comments', type: 'string', value: 'a' }, form)).toEqual({
      reason: 'type must be image, the type of the field.',
      mayChange: true,
    });
    expect(judge({ field_id: 'notes', value: 'a' })).toMatchObject({ mayChange: true });
    expect(judge({ field_id: 'weather', time: '08:00' })).toMatchObject({ mayChange: true });
    expect(judge({ field_id: 'comments', value: '' })).toMatchObject({ mayChange: false });
  });
});

describe('a line with a value that is nested very deeply', () => {
  it('is rejected, because its fingerprint is computed recursively', () => {
    const wind: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const judged = entryKind.judge({ tag_id: ID, date: '2026-03-02', field_id: 'weather', time: '12:00', wind });
    expect(judged).toEqual({ reason: 'wind may not be nested so deeply.' });
  });
});

describe('a value field that is ignored', () => {
  const HOURS = 'is ignored in an entry of the type employee-working-times.';
  const time = { time: '12:00' };

  it.each<[object, readonly string[]]>([
    [{ ...time, temperature: 7 }, []],
    [{ hours: 8, employee_name: 'Max' }, []],
    [{ name: 'Kran', employees: 2, hours: 8, comment: 'früh' }, []],
    [{ hours: 8, comment: 'früh' }, [`comment ${HOURS}`]],
    [{ type: 'employee-working-times', hours: 8, time: '12:00', comment: null }, [`time ${HOURS}`]],
    // The form decides which of both the entry is.
    [{ ...time, hours: 8 }, ['hours is ignored in an entry of the type weather.', `time ${HOURS}`]],
    [
      { value: 'a', text: 'a' },
      ['value is ignored in an entry of the type activities.', 'text is ignored in an entry of the type string.'],
    ],
    [{ burned: true, hours: 8 }, []],
    // Of no type, so that the line is rejected anyway.
    [{ comment: 'a' }, []],
    [{ type: 'nonsense', ...time, hours: 8 }, []],
  ])('is reported for %j', (given, problems) => {
    expect(entryKind.judge({ tag_id: ID, date: '2026-03-02', field_id: 'x', ...given })).toMatchObject({ ignored: problems });
  });

  it('is a warning, and a reason to reject a line if this is wanted', () => {
    const judge = createLineJudge({ service: 'daily-reports', kinds: { daily_report_entry: entryKind } });
    const line = {
      kind: 'daily_report_entry',
      institution_id: ID,
      id: ID,
      tag_id: ID,
      date: '2026-03-02',
      field_id: 'x',
      hours: 8,
      text: 'a',
    };
    const problems = [`text ${HOURS}`, 'hours is ignored in an entry of the type activities.'];
    expect(judge(JSON.stringify(line))).toMatchObject({ unknown: problems });
    expect(judge(JSON.stringify(line), { strict: true })).toMatchObject({ refusal: { reason: problems.join(' ') } });
    expect(judge(JSON.stringify({ ...line, deleted: true }), { strict: true })).toMatchObject({ unknown: [] });
  });
});

describe('the fingerprint of a line', () => {
  it('does not depend on the order of fields or on explicit default values', () => {
    const line = { field_id: 'comments', value: 'a' };
    const said = { value: 'a', type: 'string', burned: false, comment: null, field_id: 'comments', group_id: 'x', unknown: 1 };
    expect(read(said).fingerprint).toBe(read(line).fingerprint);
    expect(read({ ...line, burned: true }).fingerprint).not.toBe(read(line).fingerprint);
    expect(read({ ...line, created_at: '2026-03-02T10:00:00' }).fingerprint).not.toBe(read(line).fingerprint);
  });
});
