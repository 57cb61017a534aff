import { describe, expect, it } from '@jest/globals';
import { directory, EASTER, errorsOf, sectionOf } from '../test/fixture.js';
import { MAX_ELEMENTS } from '../problems.js';
import { canonicalParameters } from './canonical-parameters.js';

const TOO_MANY = ['Ensure this field has no more than 200 elements.'];

const repeated = (count: number, element: (index: number) => string, separator = '|') =>
  Array.from({ length: count }, (_, n) => element(n)).join(separator);

/** Returns the least CPU time of three calls in milliseconds: that of the process includes compiling, and collecting earlier garbage. */
function cpuOf(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

describe('the lists of a request', () => {
  it.each([
    ['types', repeated(MAX_ELEMENTS + 1, (n) => `t${String(n)}`)],
    ['columns', repeated(MAX_ELEMENTS + 1, (n) => `value:as>${String(n)}`)],
    ['filter', repeated(MAX_ELEMENTS + 1, (n) => `q=${String(n)}`)],
    ['filter', `q=${repeated(MAX_ELEMENTS + 1, String, ',')}`],
  ])('%s are rejected above the maximum length', (name, text) => {
    expect(errorsOf({ [name]: text })).toEqual({ [name]: TOO_MANY });
  });

  it('may have the maximum length', () => {
    const columns = repeated(MAX_ELEMENTS, (n) => `value:as>${String(n)}`);
    expect(sectionOf({ columns, filter: `q=${repeated(MAX_ELEMENTS, String, ',')}` }).columns).toHaveLength(MAX_ELEMENTS);
  });

  it('are also limited for wage codes and in the parts of multi', () => {
    expect(errorsOf({ types: repeated(201, String) }, 'payroll_a')).toEqual({ types: TOO_MANY });
    const types = Array.from({ length: 201 }, String);
    expect(errorsOf({ config: JSON.stringify([{}, { types }]) }, 'multi')).toEqual({ config: [{}, { types: TOO_MANY }] });
  });

  it('have a limited product, summed over all parts of multi', () => {
    const columns = Array.from({ length: 200 }, (_, n) => `value:as>${String(n)}`);
    const part = { types: ['work-time:hours', 'balance:hours', 'overtime:hours'], columns };
    const config = (parts: number) => JSON.stringify(Array.from({ length: parts }, () => part));
    expect(errorsOf({ config: config(17) }, 'multi')).toEqual({
      config: ['The types times the columns of all parts may not be more than 10000.'],
    });
    expect(() => errorsOf({ config: config(16) }, 'multi')).toThrow('The request is valid.');
  });

  it('are not limited if they are ids', () => {
    const staff = directory.staff.map(({ id }) => id);
    expect(sectionOf({ employee_ids: staff.join('|') }).employeeIds).toEqual(new Set(staff));
    expect(errorsOf({ employee_ids: repeated(1500, () => 'x') })).toEqual({ employee_ids: ['Must be a valid UUID.'] });
  });
});

describe('an invalid request', () => {
  const near = (n: number) => `credit-tme:hourz${String(n)}`;
  const parts = (part: object) => JSON.stringify(Array.from({ length: 20 }, () => part));

  it.each<[string, string, Record<string, string>]>([
    ['unknown types', 'generic', { types: repeated(3000, near) }],
    ['unknown types that every part inherits', 'multi', { types: repeated(200, near), config: parts({}) }],
    ['more unknown types that every part inherits', 'multi', { types: repeated(3000, near), config: parts({}) }],
    ['unknown types of every part', 'multi', { config: parts({ types: Array.from({ length: 200 }, (_, n) => near(n)) }) }],
    ['unknown keys of a part', 'multi', { config: `[{${repeated(4000, (n) => `"tpyes${String(n)}":1`, ',')}}]` }],
    ['unknown columns', 'generic', { columns: repeated(200, (n) => `frist-name${'x'.repeat(40)}${String(n)}`) }],
    ['unknown modifiers', 'generic', { columns: `value${repeated(8000, (n) => `:rond${String(n)}`, '')}` }],
    ['unknown options', 'generic', { export_format: `csv${repeated(8000, (n) => `:delimter${String(n)}`, '')}` }],
    ['unknown absence types', 'generic', { filter: `missing-type=${repeated(12_000, (n) => `v${String(n)}`, ',')}` }],
    ['unknown filters', 'generic', { filter: repeated(200, (n) => `frist-nam${String(n)}=x`) }],
  ])('is rejected quickly even with many %s', (_, exporter, parameters) => {
    errorsOf({ types: 'x' });
    expect(cpuOf(() => errorsOf(parameters, exporter))).toBeLessThan(150);
  });

  it('counts the messages that it does not show', () => {
    const { types } = errorsOf({ types: repeated(200, near) }) as { types: string[] };
    expect(types).toHaveLength(40);
    expect(types.at(-1)).toBe('161 more.');
  });

  it('may contain extremely deeply nested JSON', () => {
    const config = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    expect(canonicalParameters('multi', { daterange: EASTER, config })).not.toBe(canonicalParameters('multi', { daterange: EASTER }));
    expect(errorsOf({ config, is_async: 'true' }, 'multi')).toEqual({
      config: [{ non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
    });
  });
});
