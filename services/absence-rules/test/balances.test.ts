import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { buildAbsence, buildContract, buildDepartment, buildEmployee, buildInstitution } from '@stechuhr/testing';
import { formatLocalDate } from '@stechuhr/worktime';
import { body, day, setting } from './support/lines.js';
import { callerOf, startAbsenceRules, type CallerRules, type RunningAbsenceRules } from './support/running-absence-rules.js';

const institution = buildInstitution();
const ids = { institution_id: institution.id };
const office = buildDepartment(ids);
const anna = buildEmployee({
  ...ids,
  department_id: office.id,
  entitlements: [setting({ valid_from: '2025-01-01', expiry: { months: 15 } })],
});
const bernd = buildEmployee(ids);
const ofAnna = { ...ids, employee_id: anna.id };

let running: RunningAbsenceRules;
let admin: CallerRules;

beforeAll(async () => {
  running = await startAbsenceRules({ now: () => Date.parse('2026-06-15T10:00:00Z') });
  await running.importLines([
    institution,
    office,
    anna,
    bernd,
    buildContract(ofAnna),
    // 28 days in 2025: two weeks at Easter lack Good Friday and Easter Monday (8 days), four weeks in August lack nothing in Bavaria (20).
    buildAbsence({ ...ofAnna, starts_on: '2025-04-14', ends_on: '2025-04-25' }),
    buildAbsence({ ...ofAnna, starts_on: '2025-08-04', ends_on: '2025-08-29' }),
    // Half a day before the expiry, five days over it (Tuesday 31 March is the last day of 2025's leave; Friday 3 April is Good Friday).
    buildAbsence({ ...ofAnna, starts_on: '2026-03-27', ends_on: '2026-03-27', day_part: 0.5 }),
    buildAbsence({ ...ofAnna, starts_on: '2026-03-30', ends_on: '2026-04-03' }),
    // Ill on two of the five days of a vacation.
    buildAbsence({ ...ofAnna, starts_on: '2026-05-18', ends_on: '2026-05-22' }),
    buildAbsence({ ...ofAnna, missing_type: 'sick', starts_on: '2026-05-20', ends_on: '2026-05-21' }),
  ]);
  admin = running.as(callerOf(institution.id));
});
afterAll(() => running.stop());

async function vacationOf(employeeId: string, date: string, withDetails = false) {
  const [found] = await admin.balances({ employeeIds: [employeeId], onDay: day(date), missingTypes: ['vacation'], withDetails });
  const [balance] = found?.balances ?? [];
  if (balance === undefined) throw new Error('There is no balance.');
  return balance;
}

const figures = async (employeeId: string, date: string) => {
  const { grantedHundredths, takenHundredths, expiredHundredths, remainingHundredths, expiringHundredths, uncoveredHundredths } =
    await vacationOf(employeeId, date);
  return [grantedHundredths, takenHundredths, expiredHundredths, remainingHundredths, expiringHundredths, uncoveredHundredths];
};

describe('many entitlements of many employees', () => {
  it('do not block the process for longer than those of one employee, and are sent one by one', async () => {
    const own = buildInstitution();
    const entitlements = () => Array.from({ length: 100 }, () => setting({ id: newId(), valid_from: '1926-01-01', amount: '1.00' }));
    const staff = Array.from({ length: 20 }, () =>
      buildEmployee({ institution_id: own.id, hired_on: '1926-01-01', entitlements: entitlements() }),
    );
    await running.importLines([own, ...staff]);
    const asked = running.as(callerOf(own.id));
    const employeeIds = staff.map(({ id }) => id);
    const parts: (readonly string[])[] = [];
    const { longest, all } = await measured(async () => {
      for await (const part of asked.balanceParts({ employeeIds, onDay: day('2026-06-15'), missingTypes: [] }))
        parts.push(part.map(({ employeeId }) => employeeId));
    });
    expect(longest).toBeLessThan(all / 3);
    expect(parts).toEqual(employeeIds.map((id) => [id]));
  });
});

/** Returns the CPU time of this thread during a call, and the most that it took in one turn of the event loop, in milliseconds. */
async function measured(call: () => Promise<unknown>) {
  const began = cpuMs();
  let isOver = false;
  const over = call().finally(() => (isOver = true));
  let longest = 0;
  for (let last = began; !isOver; last = cpuMs()) {
    await setImmediate();
    longest = Math.max(longest, cpuMs() - last);
  }
  await over;
  return { longest, all: cpuMs() - began };
}

/** The CPU time of this thread, which does not advance while a busy machine suspends it. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

describe('GetBalances', () => {
  it.each([
    ['2024-12-31', [0, 0, 0, 0, 0, 0]],
    ['2025-12-31', [3000, 2800, 0, 200, 200, 0]],
    ['2026-03-26', [6000, 2800, 0, 3200, 3200, 0]],
    // 2 days of 2025 are left: the half day and the 30th use one and a half of them, the 31st the last half and half a day of 2026.
    ['2026-03-31', [6000, 3050, 0, 2950, 2950, 0]],
    ['2026-05-22', [6000, 3550, 0, 2450, 2450, 0]],
  ])('on %s', async (date, expected) => {
    expect(await figures(anna.id, date)).toEqual(expected);
  });

  it('lists the rule to which each day was charged', async () => {
    const { charges, rules, uncovered } = await vacationOf(anna.id, '2026-06-15', true);
    const yearOf = new Map(rules.map(({ ruleId, availableFrom }) => [ruleId, formatLocalDate(availableFrom).slice(0, 4)]));
    const in2026 = charges.filter(({ day: date }) => date >= day('2026-01-01'));
    expect(
      in2026.map(({ day: date, ruleId, hundredths }) => `${formatLocalDate(date)} ${yearOf.get(ruleId) ?? '?'} ${String(hundredths)}`),
    ).toEqual([
      '2026-03-27 2025 50',
      '2026-03-30 2025 100',
      '2026-03-31 2025 50',
      '2026-03-31 2026 50',
      '2026-04-01 2026 100',
      '2026-04-02 2026 100',
      '2026-05-18 2026 100',
      '2026-05-19 2026 100',
      '2026-05-22 2026 100',
    ]);
    expect(uncovered).toEqual([]);
    expect(
      rules.map(({ takenHundredths, expiredHundredths, remainingHundredths }) => [takenHundredths, expiredHundredths, remainingHundredths]),
    ).toEqual([
      [3000, 0, 0],
      [550, 0, 2450],
    ]);
  });

  it('changes at once when manual rules are created or deleted', async () => {
    const { id } = await admin.create(
      body(anna.id, { priority: 0, amount: '2.25', available_from: '2026-05-01', expires_at: '2026-05-31' }),
    );
    // It expires first, so the days in May use it up.
    expect(await figures(anna.id, '2026-06-15')).toEqual([6225, 3550, 0, 2675, 2675, 0]);
    await admin.update(id, body(anna.id, { priority: 0, amount: '4.00', available_from: '2026-05-01', expires_at: '2026-05-31' }));
    expect(await figures(anna.id, '2026-06-15')).toEqual([6400, 3550, 100, 2750, 2750, 0]);
    await admin.delete(id);
    expect(await figures(anna.id, '2026-06-15')).toEqual([6000, 3550, 0, 2450, 2450, 0]);
  });

  it('lists days that no rule covers separately', async () => {
    await running.importLines([buildAbsence({ ...ids, employee_id: bernd.id, starts_on: '2026-06-08', ends_on: '2026-06-10' })]);
    const { id } = await admin.create(body(bernd.id, { amount: '1.50' }));
    expect(await figures(bernd.id, '2026-06-15')).toEqual([150, 150, 0, 0, 0, 150]);
    const { uncovered } = await vacationOf(bernd.id, '2026-06-15', true);
    expect(uncovered.map(({ day: date, hundredths }) => [formatLocalDate(date), hundredths])).toEqual([
      ['2026-06-09', 50],
      ['2026-06-10', 100],
    ]);
    await admin.delete(id);
    expect(await figures(bernd.id, '2026-06-15')).toEqual([0, 0, 0, 0, 0, 300]);
  });

  // 0000-12-31, 10000-01-01, and the limits of the field.
  it.each([-719_163, 2_932_897, -2_147_483_648, 2_147_483_647])('are not asked for on day %d, which no date can write', async (onDay) => {
    const asked = admin.balances({ employeeIds: [anna.id], onDay, missingTypes: ['vacation'] });
    await expect(asked).rejects.toMatchObject({ code: 'invalid', details: { on_day: [expect.any(String)] } });
  });

  it('are empty on the first day that a date can write, and go on until the last', async () => {
    const granted = async (onDay: number) => {
      const [found] = await admin.balances({ employeeIds: [anna.id], onDay, missingTypes: ['vacation'] });
      return found?.balances[0]?.grantedHundredths;
    };
    expect(await granted(-719_162)).toBe(0);
    expect(await granted(2_932_896)).toBeGreaterThan(0);
  });

  it('has each asked type once, in the order of the call, and nothing of an unknown one', async () => {
    const [found] = await admin.balances({
      employeeIds: [anna.id],
      onDay: day('2025-12-31'),
      missingTypes: ['sick', 'vacation', 'x', 'sick'],
    });
    expect(found?.balances.map(({ missingType, grantedHundredths }) => [missingType, grantedHundredths > 0])).toEqual([
      ['sick', false],
      ['vacation', true],
      ['x', false],
    ]);
  });

  it('returns every configured type and all visible employees, in their orders', async () => {
    const employeeIds = [bernd.id, newId(), anna.id.toUpperCase(), bernd.id, 'x'];
    const all = await admin.balances({ employeeIds, onDay: day('2026-06-15') });
    expect(all.map(({ employeeId }) => employeeId)).toEqual([bernd.id, anna.id]);
    expect(all[1]?.balances.map(({ missingType, uncoveredHundredths }) => [missingType, uncoveredHundredths])).toEqual([
      ['vacation', 0],
      ['sick', 200],
      ['school', 0],
      ['unpaid', 0],
    ]);
    const leader = running.as(callerOf(institution.id, [office.id]));
    expect((await leader.balances({ employeeIds, onDay: 0 })).map(({ employeeId }) => employeeId)).toEqual([anna.id]);
    expect(await running.as(callerOf(newId())).balances({ employeeIds: [], onDay: 0 })).toEqual([]);
  });
});
