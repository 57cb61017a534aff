import { describe, expect, it } from '@jest/globals';
import { ingestKinds } from '@stechuhr/contracts';
import { routeLine } from './routes.js';

describe('routeLine', () => {
  it.each(ingestKinds)('sends %s to records', (kind) => {
    expect(routeLine(JSON.stringify({ kind, id: 'x' }))).toEqual({ to: 'records' });
  });

  it('sends settings of reviews to reviews', () => {
    expect(routeLine('{"kind":"review_settings","institution_id":"x"}')).toEqual({ to: 'reviews' });
  });

  it.each(['daily_report_form', 'daily_report_entry', 'daily_report_status'])('sends %s to daily reports', (kind) => {
    expect(routeLine(JSON.stringify({ kind, id: 'x' }))).toEqual({ to: 'daily-reports' });
  });

  it.each(['', '   ', '\t'])('skips the blank line %j', (text) => {
    expect(routeLine(text)).toEqual({ isBlank: true });
  });

  it.each([
    ['{"kind":', null, null, 'The line is not valid JSON: it ends too early, after character 8.'],
    ['null', null, null, 'The line is not a JSON object.'],
    ['[{"kind":"employee"}]', null, null, 'The line is not a JSON object.'],
    ['{"id":"7"}', null, '7', 'The field "kind" is missing.'],
    ['{"id":7,"kind":null}', null, null, 'The field "kind" is not a string.'],
    ['{"id":"7","kind":"employees"}', 'employees', '7', '"employees" is not a known kind.'],
    ['{"kind":"__proto__"}', '__proto__', null, '"__proto__" is not a known kind.'],
  ])('rejects %s', (text, kind, id, reason) => {
    expect(routeLine(text)).toEqual({ kind, id, reason });
  });
});
