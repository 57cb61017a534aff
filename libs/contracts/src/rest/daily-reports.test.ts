import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { autofillBody, readEntriesQuery, readReportsQuery, reportStatusQuery, uploadTokenBody } from './daily-reports.js';
import { parseBody } from './fields.js';

const A = '2ed6657d-e927-568b-95e1-2665a8aea6a2';
const B = '0df3114d-57ab-521c-9799-fda900f0d2ce';
const DATE_FORMAT = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.';
const ALL_REPORTS = { range: { from: undefined, until: undefined }, projectIds: undefined, statuses: [], order: [] };
const ALL_ENTRIES = {
  range: undefined,
  projectIds: undefined,
  fieldId: undefined,
  ids: undefined,
  modifiedSince: undefined,
  grouped: false,
  order: [],
};

function problemsOf(read: () => unknown): unknown {
  try {
    read();
  } catch (caught) {
    return AppError.from(caught).details;
  }
  return undefined;
}

/** A stub of the parser of libs/worktime, on which contracts do not depend. */
const parse = (text: string) =>
  text === '2026-05-01T00:00:00' ? ({ kind: 'ok', instant: 1_777_586_400 } as const) : ({ kind: 'malformed' } as const);

const MAY = { from: '2026-05-01', until: '2026-05-31' };
/** Ranges that match nothing. */
const BAD_RANGES = [
  '|',
  '2026-05-01',
  '2026-05-01|',
  '|2026-05-31',
  '2026-05-01|2026-05-31|',
  '2026-05-01|2026-02-29',
  '01.05.2026|31.05.2026',
  '2026-5-1|2026-5-31',
  '2026-05-01T00:00:00|2026-05-31',
  '0000-01-01|2026-05-31',
  '2026-05-31|2026-05-01',
  'x',
];

describe('the query of reports', () => {
  it.each([
    [{}, {}],
    [{ date_from: '2026-05-01' }, { range: { from: '2026-05-01', until: undefined } }],
    [{ date_from: '2026-05-01', date_to: '2026-05-31' }, { range: MAY }],
    [{ date_from: '2026-02-29', date_to: '2026-05-31' }, { range: { from: undefined, until: '2026-05-31' } }],
    [{ date_from: '1.5.2026', date_to: 'never' }, {}],
    [{ daterange: '2026-05-01|2026-05-31', date_from: '2020-01-01', date_to: 'x' }, { range: MAY }],
    [{ daterange: ' 2026-05-01 | 2026-05-31 ' }, { range: MAY }],
    [{ daterange: '' }, {}],
    [{ projects: `${A}|x||${B.toUpperCase()}|${A}` }, { projectIds: [A, B] }],
    [{ projects: '' }, {}],
    [{ status: 'archived|draft|nonsense|draft' }, { statuses: ['draft', 'archived'] }],
    [{ status: 'nonsense' }, {}],
    [{ status: 'Draft' }, {}],
    [{ order: 'date' }, { order: [{ field: 'date', descending: false }] }],
    [{ order: '-date' }, { order: [{ field: 'date', descending: true }] }],
    [{ ids: 'x', q: 'x', archived: 'x', grouped: '1' }, {}],
  ])('%j', (texts, expected) => {
    expect(readReportsQuery(texts)).toEqual({ ...ALL_REPORTS, ...expected });
  });

  it.each([
    ...BAD_RANGES.map((daterange) => ({ daterange, date_from: '2026-05-01' })),
    { projects: 'x' },
    { projects: 'x|y' },
    { projects: '|' },
    { date_from: '2026-05-05', date_to: '2026-05-04' },
  ])('%j matches nothing', (texts) => {
    expect(readReportsQuery(texts)).toBeUndefined();
  });

  it('can only be ordered by date', () => {
    expect(problemsOf(() => readReportsQuery({ order: 'status', daterange: 'x' }))).toEqual({
      $query: ['"status" is not a valid ordering field.'],
    });
  });
});

describe('the query of entries', () => {
  it.each([
    [{}, {}],
    [{ tags: `${A.toUpperCase()}||${B}|${A}` }, { projectIds: [A, B] }],
    [{ tags: '' }, {}],
    [{ ids: `x|${A}` }, { ids: [A] }],
    [{ ids: '' }, {}],
    [{ daterange: '2026-05-01|2026-05-31' }, { range: MAY }],
    [{ field_id: 'photos' }, { fieldId: 'photos' }],
    [{ modified_since: '2026-05-01T00:00:00' }, { modifiedSince: 1_777_586_400 }],
    [{ grouped: '1' }, { grouped: true }],
    [{ grouped: 'true' }, {}],
    [{ grouped: '0' }, {}],
    [{ order: '-date' }, { order: [{ field: 'date', descending: true }] }],
    [{ date_from: '2026-05-01', projects: A, status: 'draft' }, {}],
  ])('%j', (texts, expected) => {
    expect(readEntriesQuery(texts, parse)).toEqual({ ...ALL_ENTRIES, ...expected });
  });

  it.each([
    ...BAD_RANGES.map((daterange) => ({ daterange })),
    { tags: `${A}|x` },
    { tags: 'x' },
    { ids: 'x' },
    { ids: '1|2' },
    { ids: '|' },
    { tags: '|' },
  ])('%j matches nothing', (texts) => {
    expect(readEntriesQuery(texts, parse)).toBeUndefined();
  });

  it('can only be ordered by date, and accepts only local times', () => {
    expect(problemsOf(() => readEntriesQuery({ order: 'date|created_at', modified_since: 'gestern' }, parse))).toEqual({
      $query: ['"created_at" is not a valid ordering field.'],
      modified_since: [expect.stringContaining('YYYY-MM-DD')],
    });
  });
});

describe('the status query', () => {
  it('needs both parameters', () => {
    expect(parseBody(reportStatusQuery, { tag: A.toUpperCase(), date: '2026-05-04' })).toEqual({ tag: A, date: '2026-05-04' });
    expect(problemsOf(() => parseBody(reportStatusQuery, {}))).toEqual({
      tag: ['This field is required.'],
      date: ['This field is required.'],
    });
    expect(problemsOf(() => parseBody(reportStatusQuery, { tag: 'x', date: '2026-02-29' }))).toEqual({
      tag: ['Must be a valid UUID.'],
      date: [DATE_FORMAT],
    });
  });
});

describe('the body of autofill', () => {
  it.each([
    [{ tag: A, date: '2026-05-04' }, null],
    [{ tag: A, date: '2026-05-04', field: null }, null],
    [{ tag: A, date: '2026-05-04', field: 'activities', other: 1 }, 'activities'],
  ])('is parsed: %j', (body, field) => {
    expect(parseBody(autofillBody, body)).toEqual({ tag: A, date: '2026-05-04', field });
  });

  it.each([
    [{}, { tag: ['This field is required.'], date: ['This field is required.'] }],
    [
      { tag: null, date: null },
      { tag: ['This field may not be null.'], date: ['This field may not be null.'] },
    ],
    [
      { tag: 7, date: 20260504 },
      { tag: ['Must be a valid UUID.'], date: [DATE_FORMAT] },
    ],
    [{ tag: A, date: '2026-05-04', field: 7 }, { field: ['Not a valid string.'] }],
    [{ tag: A, date: '2026-05-04', field: ' ' }, { field: ['This field may not be blank.'] }],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
  ])('rejects %j', (body, problems) => {
    expect(problemsOf(() => parseBody(autofillBody, body))).toEqual(problems);
  });
});

describe('the body of upload tokens', () => {
  const good = { filename: 'IMG_1.JPG', filetype: 'image/jpeg', filesize: 1 };

  it.each([
    [{}, good],
    [{ filesize: 2_097_152 }, { ...good, filesize: 2_097_152 }],
    [{ filesize: '512' }, { ...good, filesize: 512 }],
    [{ filetype: 'image/heic' }, { ...good, filetype: 'image/heic' }],
    [{ filename: '../../Ä/etc.jpg' }, { ...good, filename: '../../Ä/etc.jpg' }],
  ])('is parsed: %j', (fields, expected) => {
    expect(parseBody(uploadTokenBody, { ...good, ...fields })).toEqual(expected);
  });

  it.each([
    [
      { filename: undefined, filetype: undefined, filesize: undefined },
      { filename: ['This field is required.'], filetype: ['This field is required.'], filesize: ['This field is required.'] },
    ],
    [{ filename: '' }, { filename: ['This field may not be blank.'] }],
    [{ filename: 'a'.repeat(256) }, { filename: ['Ensure this field has no more than 255 characters.'] }],
    [{ filename: 'a\0' }, { filename: ['Null characters are not allowed.'] }],
    [{ filetype: 'image/svg+xml' }, { filetype: ['"image/svg+xml" is not a valid choice.'] }],
    [{ filetype: 'application/pdf' }, { filetype: ['"application/pdf" is not a valid choice.'] }],
    [{ filesize: 0 }, { filesize: ['Ensure this value is greater than or equal to 1.'] }],
    [{ filesize: 2_097_153 }, { filesize: ['Ensure this value is less than or equal to 2097152.'] }],
    [{ filesize: 1.5 }, { filesize: ['A valid integer is required.'] }],
    [{ filesize: '1e3' }, { filesize: ['A valid integer is required.'] }],
  ])('rejects %j', (fields, problems) => {
    expect(problemsOf(() => parseBody(uploadTokenBody, { ...good, ...fields }))).toEqual(problems);
  });
});
