import { describe, expect, it } from '@jest/globals';
import { epochDay, parseLocalDateTime, resolveInterval, type EpochDay } from '@stechuhr/worktime';
import { createFirm } from './firm.js';
import type { PlannedDay } from './month-plan.js';
import { personAt } from './people.js';
import { sitesOf } from './projects.js';
import type { WorkdayRecord } from './records.js';
import { workdayRecords } from './workdays.js';

const firm = createFirm('test');
const BRICKLAYER = 5;
const LONG_AGO = epochDay(2026, 12, 15);

function recordsOf(planned: Partial<PlannedDay> & { day: EpochDay }, today = LONG_AGO, hasStarted = true): readonly WorkdayRecord[] {
  const person = personAt(firm, BRICKLAYER, today);
  const source = { firm, person, employeeId: 'employee', sites: sitesOf(firm, 0), asOf: { today, hasStarted } };
  return workdayRecords(source, { shape: 'normal', netMinutes: 510, extraMinutes: 0, ...planned });
}

function minutesBetween(start: string, end: string): number {
  const [from, to] = [parseLocalDateTime(start), parseLocalDateTime(end)];
  if (from.kind !== 'ok' || to.kind !== 'ok') throw new Error(`${start} or ${end} does not exist.`);
  const interval = resolveInterval(from, to);
  return (interval.end - interval.start) / 60;
}

describe('workdayRecords', () => {
  it.each([
    ['in March, when an hour is skipped', epochDay(2026, 3, 28)],
    ['in October, when an hour is repeated', epochDay(2026, 10, 24)],
  ])('keeps the length of a night shift during a clock change %s', (_name, day) => {
    for (let netMinutes = 480; netMinutes <= 560; netMinutes += 5) {
      const [workday] = recordsOf({ day, shape: 'night', netMinutes });
      expect(minutesBetween(workday?.started_at ?? '', workday?.ended_at ?? '')).toBe(netMinutes + 45);
      const spans = workday?.timespans.map(({ started_at, ended_at }) => minutesBetween(started_at, ended_at ?? ''));
      expect(spans).toEqual([240, 45, netMinutes - 240]);
    }
  });

  it('returns a second workday for an on-call shift in the evening', () => {
    const workdays = recordsOf({ day: epochDay(2026, 10, 6), shape: 'on-call', extraMinutes: 100 });
    expect(workdays.map(({ timespans }) => timespans.length)).toEqual([5, 1]);
    expect(workdays[1]?.started_at).toMatch(/^2026-10-06T20:/u);
  });

  it('leaves a night shift open that ends later this morning', () => {
    const friday = epochDay(2026, 10, 9);
    expect(recordsOf({ day: friday, shape: 'night' }, friday + 1, false)[0]).toMatchObject({ ended_at: null });
    expect(recordsOf({ day: friday, shape: 'night' }, friday + 1, true)[0]?.ended_at).toMatch(/^2026-10-10T0[456]:/u);
  });

  it('returns the first period of the shift of today and nothing of tomorrow', () => {
    const today = epochDay(2026, 10, 6);
    const [running, ...others] = recordsOf({ day: today }, today);
    expect(others).toEqual([]);
    expect(running).toMatchObject({ date: '2026-10-06', ended_at: null, timespans: [{ type: 'work', ended_at: null }], edits: [] });
    expect(recordsOf({ day: today }, today, false)).toEqual([]);
    expect(recordsOf({ day: today + 1 }, today)).toEqual([]);
  });

  it('returns no workday for a forgotten day', () => {
    expect(recordsOf({ day: epochDay(2026, 10, 6), shape: 'missing', netMinutes: 0 })).toEqual([]);
  });

  it('has more than ten periods of work on a fragmented day', () => {
    const [workday] = recordsOf({ day: epochDay(2026, 10, 6), shape: 'fragmented' });
    expect(workday?.timespans.filter(({ type }) => type === 'work')).toHaveLength(12);
  });
});
