import { describe, expect, it } from '@jest/globals';
import { employee } from './employee.js';

/** Converts a record as if it had been read from a line: undefined fields are missing. */
const parsed = (line: object) => JSON.parse(JSON.stringify(line)) as object;
const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

const setting = {
  id: uuid(5),
  label: 'Urlaub',
  missing_type: 'vacation',
  amount: '30.00',
  priority: 0,
  cycle_start: '01-01',
  valid_from: '2020-01-01',
  valid_to: null,
  expiry: { months: 15 },
  proration: 'burlg',
};
const line = {
  account_id: uuid(1),
  number: '1001',
  accounting_number: '7',
  first_name: 'Max',
  last_name: 'Beispiel',
  email: 'max@example.com',
  department_id: uuid(2),
  custom_fields: { position: 'Polier', helmet: 'M' },
  hired_on: '2020-01-01',
  left_on: '2026-06-30',
  archived_on: null,
  entitlements: [setting],
};

function judge(change: object): { fields?: Readonly<Record<string, unknown>>; reason?: string } {
  const judged = employee.judge(parsed({ ...line, ...change }));
  return 'reason' in judged ? judged : { fields: judged.content.fields };
}

describe('employee', () => {
  it('is stored with days, amounts in hundredths and sorted custom fields', () => {
    expect(judge({}).fields).toEqual({
      ...line,
      custom_fields: [
        { name: 'helmet', value: 'M' },
        { name: 'position', value: 'Polier' },
      ],
      hired_on: 18262,
      left_on: 20634,
      entitlements: [{ ...setting, amount: 3000, valid_from: 18262 }],
    });
  });

  it('refers to its account, its department and the absence types of its entitlements', () => {
    const judged = employee.judge(line);
    expect('content' in judged && judged.content.references).toEqual([
      { field: 'account_id', kind: 'account', id: uuid(1) },
      { field: 'department_id', kind: 'department', id: uuid(2) },
      { field: 'entitlements[0].missing_type', kind: 'absence_type', id: 'vacation' },
    ]);
  });

  it('has custom fields whose names can be stored as UTF-8, each once', () => {
    const stored = judge({ custom_fields: { 'a\ud800': '1', 'a\ud801': '2', b: '3' } }).fields?.['custom_fields'];
    expect(stored).toEqual([
      { name: 'a\ufffd', value: '2' },
      { name: 'b', value: '3' },
    ]);
  });

  it('has one custom field for a name, however its letters are composed', () => {
    const stored = judge({ custom_fields: { 'Gro\u0308ße': 'L', Größe: 'Ma\u0308nner' } }).fields?.['custom_fields'];
    expect(stored).toEqual([{ name: 'Größe', value: 'Ma\u0308nner' }]);
  });

  it('may have custom fields with the names of properties of objects, except the one that no message can contain', () => {
    const named = (json: string) => judge({ custom_fields: JSON.parse(json) as object });
    expect(named('{"constructor": "x", "toString": "y"}').fields?.['custom_fields']).toEqual([
      { name: 'constructor', value: 'x' },
      { name: 'toString', value: 'y' },
    ]);
    expect(named('{"__proto__": "x", "a": "y"}').reason).toBe('custom_fields may not have the name __proto__.');
    expect(named('{"__proto__": null, "a": "y"}').fields?.['custom_fields']).toEqual([{ name: 'a', value: 'y' }]);
  });

  it('may omit nullable fields', () => {
    const { number, first_name, last_name, hired_on } = line;
    const bare = employee.judge({ number, first_name, last_name, hired_on });
    expect('content' in bare && bare.content).toEqual({
      fields: {
        ...{ number, first_name, last_name, hired_on: 18262 },
        ...{ account_id: null, accounting_number: null, email: null, department_id: null, left_on: null, archived_on: null },
        ...{ custom_fields: [], entitlements: [] },
      },
      references: [],
    });
  });

  it.each<[object, string]>([
    [{ hired_on: '0001-01-01' }, 'hired_on must be a date of the years 1900 to 2199.'],
    [{ custom_fields: { a: 'x'.repeat(9_000), b: 'x'.repeat(9_000) } }, 'custom_fields may not have more than 16384 bytes together.'],
    [
      { custom_fields: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [String(n), 'x'])) },
      'custom_fields may not be more than 100.',
    ],
    [{ entitlements: Array.from({ length: 501 }, () => 'no setting') }, 'entitlements may not have more than 500 elements.'],
    [{ entitlements: [{ ...setting, valid_from: '0001-01-01' }] }, 'entitlements[0].valid_from must be a date of the years 1900 to 2199.'],
  ])('is bounded: %#', (fields, reason) => {
    expect(judge(fields).reason).toBe(reason);
  });

  it('may leave on the day of hire, and ignores custom fields that are null', () => {
    expect(judge({ left_on: '2020-01-01' }).reason).toBeUndefined();
    const empty = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [String(n), null]));
    for (const custom_fields of [{ position: null }, empty]) expect(judge({ custom_fields }).fields).toMatchObject({ custom_fields: [] });
  });

  it.each([
    [{ left_on: '2019-12-31' }, 'left_on lies before hired_on.'],
    [{ hired_on: null }, 'hired_on is required.'],
    [{ archived_on: '2026-06-31' }, 'archived_on must be a date like 2026-03-31.'],
    [{ number: 1001 }, 'number must be text.'],
    [{ number: ' ' }, 'number may not be blank.'],
    [{ account_id: 'x' }, 'account_id must be a UUID.'],
    [{ custom_fields: [] }, 'custom_fields must be an object.'],
    [{ custom_fields: { position: 7 } }, 'custom_fields.position must be text.'],
    [
      { custom_fields: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [String(n), 7])) },
      'custom_fields may not be more than 100.',
    ],
    [{ custom_fields: { ' ': 'x' } }, 'custom_fields may only have names of 1 to 255 characters.'],
    [{ custom_fields: { ['x'.repeat(256)]: 'x' } }, 'custom_fields may only have names of 1 to 255 characters.'],
    [{ entitlements: [setting, setting] }, 'entitlements[1].id is the id of another setting of the employee.'],
    [{ entitlements: ['x'] }, 'entitlements[0] must be an object.'],
  ])('is refused with %j', (change, reason) => {
    expect(judge(change).reason).toBe(reason);
  });
});

describe('entitlement', () => {
  const judgeSetting = (change: object) => judge({ entitlements: [{ ...setting, ...change }] });

  it.each([
    [{ amount: 30 }, { amount: 3000 }],
    [{ amount: 27.5 }, { amount: 2750 }],
    [{ amount: '0.05' }, { amount: 5 }],
    [{ amount: '99999.99' }, { amount: 9_999_999 }],
    [{ expiry: null }, { expiry: null }],
    [{ expiry: undefined }, { expiry: null }],
    [{ expiry: { month_day: '03-31', year_offset: 1 } }, { expiry: { month_day: '03-31', year_offset: 1 } }],
    [
      { cycle_start: '02-29', proration: 'none' },
      { cycle_start: '02-29', proration: 'none' },
    ],
    [
      { cycle_start: '07-01', proration: 'twelfths' },
      { cycle_start: '07-01', proration: 'twelfths' },
    ],
    [{ valid_to: '2020-01-01' }, { valid_to: 18262 }],
  ])('takes %j', (change, stored) => {
    expect(judgeSetting(change).fields).toMatchObject({ entitlements: [stored] });
  });

  const amounts = 'entitlements[0].amount must be an amount from 0 to 99999.99 with at most two decimals.';
  const expiries = 'entitlements[0].expiry must be null, {months} or {month_day, year_offset}.';
  it.each([
    [{ id: '5' }, 'entitlements[0].id must be a UUID.'],
    [{ label: '' }, 'entitlements[0].label may not be blank.'],
    [{ missing_type: null }, 'entitlements[0].missing_type is required.'],
    [{ amount: '30.005' }, amounts],
    [{ amount: '-1' }, amounts],
    [{ amount: 100_000 }, amounts],
    [{ amount: '1e2' }, amounts],
    [{ amount: 1e-7 }, amounts],
    [{ amount: null }, 'entitlements[0].amount is required.'],
    [{ priority: -1 }, 'entitlements[0].priority must be an integer from 0 to 2147483647.'],
    [{ cycle_start: '13-01' }, 'entitlements[0].cycle_start must be a day of the year like 01-31.'],
    [{ cycle_start: '1-1' }, 'entitlements[0].cycle_start must be a day of the year like 01-31.'],
    [{ valid_to: '2019-12-31' }, 'entitlements[0].valid_to lies before its valid_from.'],
    [{ expiry: {} }, expiries],
    [{ expiry: { months: -1 } }, expiries],
    [{ expiry: { months: 3, month_day: '03-31', year_offset: 1 } }, expiries],
    [{ expiry: { month_day: '03-32', year_offset: 1 } }, expiries],
    [{ proration: 'daily' }, 'entitlements[0].proration must be one of none, twelfths, burlg.'],
    [{ cycle_start: '07-01' }, 'entitlements[0].cycle_start must be 01-01 where proration is burlg.'],
  ])('is refused with %j', (change, reason) => {
    expect(judgeSetting(change).reason).toBe(reason);
  });
});
