import { describe, expect, it } from '@jest/globals';
import type { Kind } from '../kind.js';
import { account } from './account.js';
import { contract } from './contract.js';
import { department } from './department.js';
import { institution } from './institution.js';
import { project } from './project.js';

/** Converts a record as if it had been read from a line: undefined fields are missing. */
const parsed = (line: object) => JSON.parse(JSON.stringify(line)) as object;
const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

function reasonOf(kind: Kind, line: object): string | undefined {
  const judged = kind.judge(parsed(line));
  return 'reason' in judged ? judged.reason : undefined;
}

function fieldsOf(kind: Kind, line: object): unknown {
  const judged = kind.judge(parsed(line));
  return 'content' in judged ? judged.content.fields : judged.reason;
}

describe('institution', () => {
  const vacation = { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true };
  const line = { name: 'Muster GmbH', federal_state: 'DE-BY', payroll_client_number: '12345', absence_types: [vacation] };

  it('is stored as sent', () => {
    expect(fieldsOf(institution, line)).toEqual(line);
  });

  it('accepts null and missing values for optional fields', () => {
    const bare = { name: 'Muster GmbH', federal_state: null, payroll_client_number: null, absence_types: [] };
    expect(fieldsOf(institution, bare)).toEqual(bare);
    expect(fieldsOf(institution, { name: ' Muster GmbH ', payroll_client_number: ' ' })).toEqual(bare);
  });

  it.each([
    ['DE-BW', 'DE-BY', 'DE-BE', 'DE-BB', 'DE-HB', 'DE-HH', 'DE-HE', 'DE-MV'],
    ['DE-NI', 'DE-NW', 'DE-RP', 'DE-SL', 'DE-SN', 'DE-ST', 'DE-SH', 'DE-TH'],
  ])('knows %s and so on', (...states) => {
    for (const federal_state of states) expect(reasonOf(institution, { ...line, federal_state })).toBeUndefined();
  });

  it.each([
    [{ name: undefined }, 'name is required.'],
    [{ name: null }, 'name is required.'],
    [{ name: 7 }, 'name must be text.'],
    [{ name: [] }, 'name must be text.'],
    [{ name: ' \t' }, 'name may not be blank.'],
    [{ name: 'x'.repeat(256) }, 'name may not be longer than 255 characters.'],
    [{ name: 'x\0y' }, 'name may not contain a NUL character.'],
    [{ federal_state: 'BY' }, 'federal_state must be one of the 16 German states such as DE-BY, or null.'],
    [{ federal_state: 'DE-XX' }, 'federal_state must be one of the 16 German states such as DE-BY, or null.'],
    [{ payroll_client_number: 12345 }, 'payroll_client_number must be text.'],
    [{ absence_types: {} }, 'absence_types must be a list.'],
    [{ absence_types: ['vacation'] }, 'absence_types[0] must be an object.'],
    [{ absence_types: [vacation, { ...vacation, value: 'sick', label: '' }] }, 'absence_types[1].label may not be blank.'],
    [
      { absence_types: [{ ...vacation, category: 'holiday' }] },
      'absence_types[0].category must be one of vacation, sick, education, other.',
    ],
    [{ absence_types: [{ ...vacation, credited: 'yes' }] }, 'absence_types[0].credited must be true or false.'],
    [{ absence_types: [{ ...vacation, credited: undefined }] }, 'absence_types[0].credited is required.'],
    [{ absence_types: [vacation, vacation] }, 'absence_types has the value vacation twice.'],
    ...['absence', 'balance', 'credit-time', 'workday', 'timespan', 'daily', 'project', 'overtime-account', 'vacation-granted'].map(
      (value) =>
        [
          { absence_types: [{ ...vacation, value }] },
          `absence_types may not use the value ${value}: it is a built-in row type of exports.`,
        ] as const,
    ),
    ...['', 'Urlaub', '-a', '_a', 'a b', 'ä', 'x'.repeat(64)].map(
      (value) =>
        [
          { absence_types: [{ ...vacation, value }] },
          'absence_types[0].value must begin with a-z or 0-9 and consist of at most 63 characters of a-z, 0-9, _ and -.',
        ] as const,
    ),
  ])('is refused with %j', (change, reason) => {
    expect(reasonOf(institution, { ...line, ...change })).toBe(reason);
  });

  it('accepts the longest value, and 255 characters beyond U+FFFF', () => {
    expect(reasonOf(institution, { ...line, absence_types: [{ ...vacation, value: 'x'.repeat(63) }] })).toBeUndefined();
    expect(reasonOf(institution, { ...line, name: '😀'.repeat(255) })).toBeUndefined();
  });
});

describe('account', () => {
  const person = { first_name: 'Ada', last_name: 'Muster', email: 'ada@example.com' };
  const line = { ...person, role: 'department_leader', department_ids: [uuid(1)], project_ids: [uuid(2), uuid(3)] };

  it('refers to its departments and projects', () => {
    expect(account.judge(line)).toEqual({
      content: {
        fields: line,
        references: [
          { field: 'department_ids', kind: 'department', id: uuid(1) },
          { field: 'project_ids', kind: 'project', id: uuid(2) },
          { field: 'project_ids', kind: 'project', id: uuid(3) },
        ],
      },
    });
  });

  it('distinguishes all projects from no projects', () => {
    expect(fieldsOf(account, { ...line, project_ids: null })).toMatchObject({ project_ids: null });
    expect(fieldsOf(account, { ...line, project_ids: [] })).toMatchObject({ project_ids: [] });
  });

  it.each([
    [{ role: 'owner' }, 'role must be one of admin, manager, department_leader.'],
    [{ role: undefined }, 'role is required.'],
    [{ first_name: '' }, 'first_name may not be blank.'],
    [{ last_name: undefined }, 'last_name is required.'],
    [{ email: null }, 'email is required.'],
    [{ department_ids: ['x'] }, 'department_ids[0] must be a UUID.'],
    [{ department_ids: uuid(1) }, 'department_ids must be a list.'],
    [{ project_ids: [uuid(1), null] }, 'project_ids[1] is required.'],
  ])('is refused with %j', (change, reason) => {
    expect(reasonOf(account, { ...line, ...change })).toBe(reason);
  });
});

describe('department', () => {
  it.each([
    [{ name: 'Hochbau' }, { name: 'Hochbau', cost_center: null }],
    [
      { name: 'Hochbau', cost_center: '4711' },
      { name: 'Hochbau', cost_center: '4711' },
    ],
    [{ name: '' }, 'name may not be blank.'],
    [{ name: 'Hochbau', cost_center: 4711 }, 'cost_center must be text.'],
  ])('checks %j', (line, expected) => {
    expect(fieldsOf(department, line)).toEqual(expected);
  });
});

describe('project', () => {
  it('requires only a name', () => {
    const empty = { code: '', color: '', address: '', cost_center: '', client: '' };
    expect(fieldsOf(project, { name: 'Neubau' })).toEqual({ name: 'Neubau', ...empty, daily_reports_enabled: false, archived: false });
  });

  it.each([
    [{}, 'name is required.'],
    [{ name: 'Neubau', code: 7 }, 'code must be text.'],
    [{ name: 'Neubau', archived: 'no' }, 'archived must be true or false.'],
    [{ name: 'Neubau', daily_reports_enabled: 1 }, 'daily_reports_enabled must be true or false.'],
  ])('is refused as %j', (line, reason) => {
    expect(reasonOf(project, line)).toBe(reason);
  });
});

describe('contract', () => {
  const week = [480, 480, 480, 480, 360, 0, 0];
  const line = { employee_id: uuid(1), valid_from: '2026-01-01', valid_to: '2026-12-31', planned_minutes: week };

  it('is stored with days since 1970', () => {
    expect(contract.judge({ ...line, overtime_min_hours: -40, overtime_max_hours: 40.5 })).toEqual({
      content: {
        fields: {
          employee_id: uuid(1),
          valid_from: 20454,
          valid_to: 20818,
          planned_minutes: week,
          overtime_min_hours: -40,
          overtime_max_hours: 40.5,
        },
        references: [{ field: 'employee_id', kind: 'employee', id: uuid(1) }],
      },
    });
  });

  it('may be valid for one day or without an end', () => {
    expect(reasonOf(contract, { ...line, valid_to: '2026-01-01' })).toBeUndefined();
    expect(reasonOf(contract, { ...line, valid_to: null })).toBeUndefined();
  });

  it('may allow one balance only, or be open at an end of the range', () => {
    expect(reasonOf(contract, { ...line, overtime_min_hours: 0, overtime_max_hours: 0 })).toBeUndefined();
    expect(reasonOf(contract, { ...line, overtime_min_hours: 60, overtime_max_hours: null })).toBeUndefined();
  });

  it.each([
    [{ employee_id: null }, 'employee_id is required.'],
    [{ valid_to: '2025-12-31' }, 'valid_to lies before valid_from.'],
    [{ valid_from: '01.01.2026' }, 'valid_from must be a date like 2026-03-31.'],
    [{ valid_from: '2026-02-29' }, 'valid_from must be a date like 2026-03-31.'],
    [{ planned_minutes: week.slice(1) }, 'planned_minutes must be a list of seven integers, Monday first.'],
    [{ planned_minutes: [...week, 0] }, 'planned_minutes must be a list of seven integers, Monday first.'],
    [{ planned_minutes: '480' }, 'planned_minutes must be a list of seven integers, Monday first.'],
    [{ planned_minutes: undefined }, 'planned_minutes must be a list of seven integers, Monday first.'],
    [{ planned_minutes: [1441, ...week.slice(1)] }, 'planned_minutes[0] must be an integer from 0 to 1440.'],
    [{ planned_minutes: [480, -1, ...week.slice(2)] }, 'planned_minutes[1] must be an integer from 0 to 1440.'],
    [{ planned_minutes: [480, 480, 7.5, ...week.slice(3)] }, 'planned_minutes[2] must be an integer from 0 to 1440.'],
    [{ planned_minutes: [480, 480, 480, '480', ...week.slice(4)] }, 'planned_minutes[3] must be an integer from 0 to 1440.'],
    [{ overtime_min_hours: 40, overtime_max_hours: -40 }, 'overtime_min_hours lies above overtime_max_hours.'],
    [{ overtime_min_hours: '10' }, 'overtime_min_hours must be a number from -1000000 to 1000000.'],
  ])('is refused with %j', (change, reason) => {
    expect(reasonOf(contract, { ...line, ...change })).toBe(reason);
  });
});
