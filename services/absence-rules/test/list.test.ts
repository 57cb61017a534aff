import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { absenceRulesV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { buildDepartment, buildEmployee, buildInstitution, judgeOutOfBounds, OUT_OF_BOUNDS } from '@stechuhr/testing';
import { formatLocalDate } from '@stechuhr/worktime';
import { body, setting } from './support/lines.js';
import { callerOf, startAbsenceRules, type CallerRules, type RunningAbsenceRules } from './support/running-absence-rules.js';

const institution = buildInstitution();
const ids = { institution_id: institution.id };
const office = buildDepartment(ids);
const everyYear = setting({ priority: 1 });
const carryOver = setting({ label: 'Sonder', amount: 5, cycle_start: '04-01', expiry: { months: 12 }, proration: 'twelfths' });
const [anna, bernd, carla, dora] = ['1', '2', '3', '4'].map((n) => `e0000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];
const staff = [
  buildEmployee({ ...ids, id: anna, department_id: office.id, hired_on: '2025-08-01', entitlements: [everyYear, carryOver] }),
  buildEmployee({ ...ids, id: bernd, entitlements: [setting({ expiry: { month_day: '03-31', year_offset: 1 } })] }),
  buildEmployee({ ...ids, id: carla }),
  buildEmployee({ ...ids, id: dora, archived_on: '2024-12-31', entitlements: [setting()] }),
];

let running: RunningAbsenceRules;
let admin: CallerRules;
let leader: CallerRules;
const manual: string[] = [];

beforeAll(async () => {
  // Reads the employees again for each page, as for a very large institution.
  running = await startAbsenceRules({ now: () => Date.parse('2026-06-15T10:00:00Z') }, { keptEntitlements: 2, listMemoryBytes: 3_000 });
  await running.importLines([institution, office, ...staff]);
  admin = running.as(callerOf(institution.id));
  leader = running.as(callerOf(institution.id, [office.id]));
  for (const [employee, fields] of [
    [carla, { available_from: '2025-01-01', priority: 0 }],
    [bernd, { available_from: '2026-01-01', priority: 1 }],
    [anna, { available_from: '2031-05-01', expires_at: '9999-12-31' }],
  ] as const) {
    manual.push((await admin.create(body(employee, fields))).id);
  }
});
afterAll(() => running.stop());

/** `<date> <priority> <last digit of the employee> <label>` of each rule. */
function shown({ rules }: absenceRulesV1.ListRulesResponse): string[] {
  return rules.map(
    ({ availableFrom, priority, employeeId, label }) =>
      `${formatLocalDate(availableFrom)} ${String(priority)} ${employeeId.slice(-1)} ${label}`,
  );
}

const ALL = [
  '2024-01-01 0 2 Urlaub 2024',
  '2024-01-01 0 4 Urlaub 2024',
  '2025-01-01 0 2 Urlaub 2025',
  '2025-01-01 0 3 Sonderurlaub',
  '2025-08-01 0 1 Sonder 2025',
  '2025-08-01 1 1 Urlaub 2025',
  '2026-01-01 0 2 Urlaub 2026',
  '2026-01-01 1 1 Urlaub 2026',
  '2026-01-01 1 2 Sonderurlaub',
  '2026-04-01 0 1 Sonder 2026',
  '2031-05-01 1 1 Sonderurlaub',
];
const numbered = (...at: number[]) => at.map((n) => ALL[n]);

describe('the list', () => {
  it('merges both sources in one order, settings up to the end of this year', async () => {
    const answer = await admin.list();
    expect([answer.count, shown(answer)]).toEqual([ALL.length, ALL]);
    expect(new Set(answer.rules.map(({ id }) => id)).size).toBe(ALL.length);
  });

  it('shows generated rules with amount and expiry', async () => {
    const { rules } = await admin.list({ sources: 'setting', daterange: '2025-01-01|2025-12-31' });
    // Hired on 1 August: eight of the twelve months from April are left, 5 × 8/12 = 3.33.
    expect(rules.map(({ amountHundredths, expiresAt }) => [amountHundredths, formatLocalDate(expiresAt)])).toEqual([
      [3000, '2026-03-31'],
      [333, '2026-03-31'],
      [3000, '9999-12-31'],
    ]);
  });

  it.each([1, 2, 3, 4, 7])('is the same in pages of %i', async (limit) => {
    const pages: string[] = [];
    for (let offset = 0; offset < ALL.length + limit; offset += limit) {
      const page = await admin.list({}, { limit, offset });
      expect(page.count).toBe(ALL.length);
      pages.push(...shown(page));
    }
    expect(pages).toEqual(ALL);
  });

  it.each<[Record<string, string>, (string | undefined)[]]>([
    [{ sources: 'manual' }, numbered(3, 8, 10)],
    [{ sources: 'manual|setting' }, ALL],
    [{ sources: '|' }, []],
    [{ ids: '|' }, []],
    [{ employee_ids: '|' }, []],
    [{ daterange: '|' }, ALL],
    // The start of the range filters both sources, the end only entitlements.
    [{ daterange: '2026-01-01|' }, numbered(6, 7, 8, 9, 10)],
    [{ daterange: '|2025-01-01' }, numbered(0, 1, 2, 3, 8, 10)],
    [{ daterange: '2025-08-01|2026-03-31', sources: 'setting' }, numbered(4, 5, 6, 7)],
    [{ daterange: '2027-01-01|' }, numbered(10)],
    [{ daterange: '2040-01-01|2040-12-31' }, []],
    [{ employee_ids: `${bernd}|${carla.toUpperCase()}|x|` }, numbered(0, 2, 3, 6, 8)],
    [{ employee_ids: 'x' }, []],
    [{ employee_ids: newId() }, []],
    [{ archived: 'nonsense', q: 'x' }, ALL],
  ])('with %j', async (parameters, expected) => {
    const answer = await admin.list(parameters);
    expect(shown(answer)).toEqual(expected);
    expect(answer.count).toBe(expected.length);
  });

  it('finds manual rules by id, and no other', async () => {
    const { rules } = await admin.list({ sources: 'setting' });
    const all = [...manual, ...rules.map(({ id }) => id), newId(), 'x'].join('|');
    expect(shown(await admin.list({ ids: all }))).toEqual(numbered(3, 8, 10));
    expect(shown(await admin.list({ ids: all }, { limit: 1, offset: 1 }))).toEqual(numbered(8));
    expect(shown(await admin.list({ ids: all, employee_ids: anna, daterange: '2026-01-01|' }))).toEqual(numbered(10));
    expect((await admin.list({ ids: all, sources: 'setting' })).count).toBe(0);
    expect((await admin.list({ ids: 'x' })).count).toBe(0);
  });

  it('expands settings into the future up to the requested day, but never beyond ten years', async () => {
    const years = async (daterange: string) =>
      (await admin.list({ daterange, sources: 'setting', employee_ids: bernd })).rules.map(({ label }) => label.slice(-4));
    expect(await years('2026-06-01|2028-01-01')).toEqual(['2027', '2028']);
    expect(await years('2026-06-01|2028-12-31')).toEqual(['2027', '2028']);
    expect((await years('2026-06-01|9999-12-31')).at(-1)).toBe('2036');
  });

  it('is refused if it would take the memory of other institutions, and then takes none', async () => {
    // 38 positions of 64 bytes each, and two entitlements of 400.
    await expect(admin.list({ daterange: '|2036-12-31' })).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await admin.list()).count).toBe(ALL.length);
  });

  it('shows a leader the rules of visible employees only', async () => {
    expect(shown(await leader.list())).toEqual(numbered(4, 5, 7, 9, 10));
    expect(shown(await leader.list({ employee_ids: bernd }))).toEqual([]);
  });

  it('rejects pages outside of its bounds', async () => {
    expect(await judgeOutOfBounds((page) => admin.list({}, page))).toEqual(OUT_OF_BOUNDS);
    expect(await judgeOutOfBounds((page) => admin.list({ ids: manual.join('|') }, page))).toEqual(OUT_OF_BOUNDS);
  });

  it('rejects invalid parameters, all together', async () => {
    await expect(admin.list({ sources: 'manual|auto', daterange: '2026-12-31|2026-01-01', order: '-priority' })).rejects.toMatchObject({
      code: 'invalid',
      details: {
        sources: ['"auto" is not a valid choice.'],
        daterange: ['The end of the range must not be before its start.'],
        $query: ['"-priority" is not a valid ordering field.'],
      },
    });
  });

  it('reflects a changed entitlement at once, with the same ids', async () => {
    const before = (await admin.list({ sources: 'setting', employee_ids: bernd })).rules;
    const [setUp] = staff[1]?.entitlements ?? [];
    await running.importLines([{ ...staff[1], entitlements: [{ ...setUp, label: 'Erholung', amount: 28, valid_to: '2025-12-31' }] }]);
    const after = (await admin.list({ sources: 'setting', employee_ids: bernd })).rules;
    expect(after.map(({ id, label, amountHundredths }) => [id, label, amountHundredths])).toEqual([
      [before[0]?.id, 'Erholung 2024', 2800],
      [before[1]?.id, 'Erholung 2025', 2800],
    ]);
    await running.importLines([staff[1] ?? {}]);
  });
});
