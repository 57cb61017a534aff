import { describe, expect, it } from '@jest/globals';
import { judgeLine } from './ingest.js';

const institution = '11111111-1111-4111-8111-111111111111';
const id = '22222222-2222-4222-8222-222222222222';
const department = { kind: 'department', institution_id: institution, id, name: 'Hochbau', cost_center: null };

describe('judgeLine', () => {
  it('accepts a record and converts its ids to lower case', () => {
    expect(
      judgeLine(JSON.stringify({ ...department, institution_id: institution.toUpperCase(), id: 'A'.repeat(8) + id.slice(8) })),
    ).toEqual({
      change: {
        kind: 'department',
        institutionId: institution,
        id: 'a'.repeat(8) + id.slice(8),
        content: { fields: { name: 'Hochbau', cost_center: null }, references: [] },
      },
      unknown: [],
    });
  });

  it('accepts a deletion without fields', () => {
    expect(judgeLine(JSON.stringify({ kind: 'workday', institution_id: institution, id, deleted: true }))).toEqual({
      change: { kind: 'workday', institutionId: institution, id, content: null },
      unknown: [],
    });
  });

  it.each([
    ['{"kind": "department",', null, null, 'The line is not valid JSON: it ends too early, after character 22.'],
    ['[]', null, null, 'The line is not a JSON object.'],
    ['null', null, null, 'The line is not a JSON object.'],
    ['"text"', null, null, 'The line is not a JSON object.'],
    [{}, null, null, 'kind is required.'],
    [{ kind: null }, null, null, 'kind is required.'],
    [{ kind: 7 }, null, null, 'kind must be text.'],
    [{ ...department, kind: 'Department' }, 'Department', id, 'kind Department is unknown.'],
    [{ kind: 'toString' }, 'toString', null, 'kind toString is unknown.'],
    [{ kind: 'review_settings' }, 'review_settings', null, 'kind review_settings is not taken by the records service.'],
    [{ kind: 'daily_report_form', id }, 'daily_report_form', id, 'kind daily_report_form is not taken by the records service.'],
    [{ kind: 'daily_report_entry', id }, 'daily_report_entry', id, 'kind daily_report_entry is not taken by the records service.'],
    [{ kind: 'daily_report_status', id }, 'daily_report_status', id, 'kind daily_report_status is not taken by the records service.'],
    [{ ...department, institution_id: undefined }, 'department', id, 'institution_id is required.'],
    [{ ...department, institution_id: 'x' }, 'department', id, 'institution_id must be a UUID.'],
    [{ ...department, id: undefined }, 'department', null, 'id is required.'],
    [{ ...department, id: '7' }, 'department', '7', 'id must be a UUID.'],
    [{ ...department, id: 7 }, 'department', null, 'id must be a UUID.'],
    [{ ...department, deleted: 'yes' }, 'department', id, 'deleted must be true or false.'],
    [
      { kind: 'institution', institution_id: institution, id },
      'institution',
      id,
      'institution_id must be the id of the institution itself. name is required.',
    ],
    [{ ...department, name: undefined }, 'department', id, 'name is required.'],
  ])('refuses %j', (line, kind, shownId, reason) => {
    const judged = judgeLine(typeof line === 'string' ? line : JSON.stringify(line));
    expect(judged).toMatchObject({ refusal: { kind: kind ?? undefined, id: shownId ?? undefined, reason } });
  });

  it('reports repeated fields of an import, of which the last value counts', () => {
    const json = JSON.stringify(department).replace('}', ', "cost_center" : "4100", "\\u006eame": "Tiefbau"}');
    const reports = ['cost_center is repeated; its last value counts.', 'name is repeated; its last value counts.'];
    const fields = { name: 'Tiefbau', cost_center: '4100' };
    expect(judgeLine(json, {})).toMatchObject({ change: { content: { fields } }, unknown: reports });
    expect(judgeLine(json, { strict: true })).toMatchObject({ refusal: { reason: reports.join(' ') } });
    // Live objects have nobody to warn.
    expect(judgeLine(json)).toMatchObject({ change: { content: { fields } }, unknown: [] });
    const quoted = { ...department, name: '"a":"b":' };
    expect(judgeLine(JSON.stringify(quoted, null, 1), { strict: true })).toMatchObject({
      change: { content: { fields: { name: '"a":"b":' } } },
    });
  });

  it('names the institution of a rejected line', () => {
    expect(judgeLine(JSON.stringify({ ...department, name: '' }))).toMatchObject({ refusal: { institutionId: institution } });
  });

  it('shortens long texts in its messages', () => {
    const judged = judgeLine(JSON.stringify({ kind: 'x'.repeat(300), id: 'y'.repeat(300) }));
    expect(judged).toEqual({
      refusal: { kind: undefined, id: undefined, institutionId: undefined, reason: `kind ${'x'.repeat(255)}… is unknown.` },
    });
  });
});
