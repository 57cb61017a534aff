import { describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { toRecordParts, toStaffRecords } from './time-records.js';

const { EmployeeRecords, RecordPart, TimespanType } = recordsV1;

describe('toStaffRecords', () => {
  it('joins the months and converts missing fields to null', () => {
    const workday = (id: string, endedAt?: number) => ({ id, date: 20_514, startedAt: 1_772_434_800, ...(endedAt && { endedAt }) });
    const records = EmployeeRecords.fromPartial({
      employeeId: 'e',
      contracts: [{ id: 'c', validFrom: 1, plannedMinutes: [480, 480, 480, 480, 480, 0, 0] }],
      absences: [{ id: 'a', missingType: 'vacation', startsOn: 2, endsOn: 3, dayPart: 0.5 }],
      workmonths: [
        { year: 2026, month: 2, openingBalanceMinutes: 0, workdays: [workday('w1', 1_772_463_600)] },
        { year: 2026, month: 3, workdays: [workday('w2')] },
        { year: 2026, month: 4, openingBalanceMinutes: -90 },
      ],
    });
    expect(toStaffRecords(records)).toEqual({
      employeeId: 'e',
      contracts: [
        {
          id: 'c',
          validFrom: 1,
          validTo: null,
          plannedMinutes: [480, 480, 480, 480, 480, 0, 0],
          overtimeMinHours: null,
          overtimeMaxHours: null,
        },
      ],
      absences: [{ id: 'a', missingType: 'vacation', startsOn: 2, endsOn: 3, dayPart: 0.5, hoursPerDay: null }],
      workdays: [
        { id: 'w1', date: 20_514, startedAt: 1_772_434_800, endedAt: 1_772_463_600, timespans: [] },
        { id: 'w2', date: 20_514, startedAt: 1_772_434_800, endedAt: null, timespans: [] },
      ],
      openingBalances: [
        { day: 20_485, seconds: 0 },
        { day: 20_544, seconds: -5400 },
      ],
    });
  });

  it('keeps falsy values', () => {
    const timespans = [{ id: 't', type: TimespanType.TIMESPAN_TYPE_BREAK, startedAt: 0, endedAt: 0, projectId: 'p', comment: '' }];
    const records = EmployeeRecords.fromPartial({
      contracts: [{ id: 'c', validTo: 0, overtimeMinHours: 0, overtimeMaxHours: -0.5 }],
      absences: [{ id: 'a', hoursPerDay: 0 }],
      workmonths: [{ workdays: [{ id: 'w', endedAt: 0, timespans }] }],
    });
    expect(toStaffRecords(records)).toMatchObject({
      contracts: [{ validTo: 0, overtimeMinHours: 0, overtimeMaxHours: -0.5 }],
      absences: [{ hoursPerDay: 0 }],
      workdays: [{ endedAt: 0, timespans: [{ id: 't', type: 'break', startedAt: 0, endedAt: 0, projectId: 'p', comment: '' }] }],
    });
  });

  it('rejects a timespan of an unknown type', () => {
    const records = EmployeeRecords.fromPartial({ workmonths: [{ workdays: [{ timespans: [{ id: 't' }] }] }] });
    expect(() => toStaffRecords(records)).toThrow('Internal error.');
  });
});

describe('toRecordParts', () => {
  it('requests only what is needed', () => {
    const days = { first: 1, last: 2 };
    const nothing = {
      days,
      contracts: false,
      absences: false,
      workdays: false,
      timespans: false,
      openingBalances: false,
      vacation: false,
      vacationBefore: false,
    };
    expect(toRecordParts(nothing)).toEqual([]);
    expect(toRecordParts({ ...nothing, openingBalances: true })).toEqual([RecordPart.RECORD_PART_OPENING_BALANCES]);
    expect(toRecordParts({ ...nothing, contracts: true, workdays: true, timespans: true })).toEqual([
      RecordPart.RECORD_PART_CONTRACTS,
      RecordPart.RECORD_PART_WORKDAYS,
      RecordPart.RECORD_PART_TIMESPANS,
    ]);
  });
});
