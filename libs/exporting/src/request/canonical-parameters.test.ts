import { describe, expect, it } from '@jest/globals';
import { canonicalParameters, isAsyncRequest, meaningfulParameters } from './canonical-parameters.js';

const A = '6f1f5d3e-0000-4000-8000-00000000000a';
const B = '6f1f5d3e-0000-4000-8000-00000000000b';
const MARCH = { daterange: '2026-03-01|2026-03-31' };

type Texts = Record<string, string>;

const same = (exporter: string, one: Texts, other: Texts) =>
  canonicalParameters(exporter, { ...MARCH, ...one }) === canonicalParameters(exporter, { ...MARCH, ...other });

describe('canonicalParameters', () => {
  it.each<[string, Texts, Texts]>([
    ['generic', {}, { export_format: 'csv', response_only: 'FALSE', skip_zero_rows: '1', types: 'credit-time:hours', filter: '' }],
    ['generic', {}, { columns: 'last-name|first-name|type|value', is_async: 'true', unknown: 'x' }],
    ['generic', { is_async: '1' }, { is_async: 'true' }],
    ['generic', { export_format: 'csv:delimiter>;' }, { export_format: 'csv:delimiter>%3B' }],
    ['generic', { columns: 'value:as>a b|' }, { columns: 'value:as>a%20b' }],
    ['generic', { employee_ids: `${A}|${B}` }, { employee_ids: `${B.toUpperCase()}||${A}` }],
    ['generic', { employee_group_ids: `${A}|${B}` }, { employee_group_ids: `${B}|${A}` }],
    ['payroll_a', { skip_zero_rows: 'false' }, {}],
    [
      'multi',
      { config: `[{"types":["a"],"employee_ids":["${A}","${B}"]}]` },
      { config: `[ {"employee_ids":["${B}","${A}"],"types":["a"]} ]` },
    ],
  ])('are equal in %s for %j and %j', (exporter, one, other) => {
    expect(same(exporter, one, other)).toBe(true);
  });

  it.each<[string, Texts, Texts]>([
    ['generic', { daterange: '2026-03-01|2026-03-30' }, {}],
    ['generic', { response_only: 'true' }, {}],
    ['generic', { response_only: 'yes' }, {}],
    ['generic', { types: 'balance:hours|sick:days' }, { types: 'sick:days|balance:hours' }],
    ['generic', { columns: 'value|date' }, { columns: 'date|value' }],
    ['generic', { filter: 'q=a|q=b' }, { filter: 'q=b|q=a' }],
    ['generic', { employee_ids: `${A}|${A}` }, { employee_ids: A }],
    ['generic', { employee_ids: 'x' }, {}],
    ['generic', { employee_ids: '|' }, {}],
    ['generic', { export_format: 'csv:decimal:decimal' }, { export_format: 'csv:decimal' }],
    ['generic', { prefix: 'YQ==' }, {}],
    ['generic', { config: '1|2' }, {}],
    ['generic', { skip_zero_rows: 'false' }, {}],
    ['payroll_b', { config: '1|2' }, { config: '01|2' }],
    ['multi', { config: '[{"types":["a","b"]}]' }, { config: '[{"types":["b","a"]}]' }],
    ['multi', { config: '[' }, {}],
    ['multi', { config: '[{}]' }, { config: '[{},{}]' }],
  ])('are different in %s for %j and %j', (exporter, one, other) => {
    expect(same(exporter, one, other)).toBe(false);
  });

  it('distinguishes exporters', () => {
    expect(canonicalParameters('payroll_a', MARCH)).not.toBe(canonicalParameters('payroll_b', MARCH));
  });
});

describe('isAsyncRequest', () => {
  it.each([
    ['true', true],
    ['1', true],
    ['TRUE', true],
    ['false', false],
    ['yes', false],
    ['', false],
  ])('for is_async=%j returns %j', (text, expected) => {
    expect(isAsyncRequest({ is_async: text })).toBe(expected);
  });

  it('is false by default', () => {
    expect(isAsyncRequest({})).toBe(false);
  });
});

describe('meaningfulParameters', () => {
  it('keeps known parameters as they were sent', () => {
    const sent = { ...MARCH, filter: '', config: '[ {} ]', is_async: 'TRUE', token: 'secret', __proto__: 'x' };
    expect(meaningfulParameters(sent)).toEqual({ ...MARCH, config: '[ {} ]', is_async: 'TRUE' });
  });

  it('keeps everything that distinguishes requests', () => {
    const sent = {
      ...MARCH,
      response_only: '1',
      types: 't',
      columns: 'c',
      filter: 'f',
      employee_ids: A,
      employee_group_ids: B,
      prefix: 'p',
    };
    const more = { ...sent, export_format: 'json', skip_zero_rows: '0', config: '1|2', is_async: '1' };
    expect(canonicalParameters('generic', meaningfulParameters(more))).toBe(canonicalParameters('generic', more));
    expect(meaningfulParameters(more)).toEqual(more);
  });
});
