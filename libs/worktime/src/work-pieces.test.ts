import { describe, expect, it } from '@jest/globals';
import { windowOf } from './intervals.js';
import { hours, range, workday } from './test-support.js';
import { projectSeconds, workPieces } from './work-pieces.js';

const mixed = workday('2026-05-04T08:00', '2026-05-04T17:00', {
  work: [
    ['2026-05-04T08:00', '2026-05-04T13:00', 'roof'],
    ['2026-05-04T13:00', '2026-05-04T15:00', 'wall'],
    ['2026-05-04T15:00', '2026-05-04T16:00'],
    ['2026-05-04T16:00', '2026-05-04T19:00', 'roof'],
  ],
  breaks: [['2026-05-04T12:30', '2026-05-04T13:15']],
});

describe('projectSeconds', () => {
  it('sums a project, clipped to the workday and without breaks', () => {
    expect(projectSeconds(mixed)).toEqual(
      new Map([
        ['roof', hours(4.5 + 1)],
        ['wall', hours(1.75)],
        [null, hours(1)],
      ]),
    );
  });

  it('treats a workday without work timespans as work without a project', () => {
    expect(projectSeconds(workday('2026-05-04T08:00', '2026-05-04T12:00'))).toEqual(new Map([[null, hours(4)]]));
    const onlyBreak = workday('2026-05-04T08:00', '2026-05-04T12:00', { breaks: [['2026-05-04T10:00', '2026-05-04T10:30']] });
    expect(projectSeconds(onlyBreak)).toEqual(new Map([[null, hours(3.5)]]));
  });

  it('counts neither open workdays nor running work timespans in closed ones', () => {
    const open = workday('2026-05-04T08:00', null, { work: [['2026-05-04T08:00', '2026-05-04T10:00', 'roof']] });
    expect(projectSeconds(open)).toEqual(new Map());
    const running = workday('2026-05-04T08:00', '2026-05-04T12:00', { work: [['2026-05-04T08:00', null, 'roof']] });
    expect(projectSeconds(running)).toEqual(new Map());
  });

  it('splits at local midnight, also in the night of a clock change', () => {
    const night = workday('2026-10-24T22:00', '2026-10-25T06:00', {
      work: [['2026-10-24T22:00', '2026-10-25T06:00', 'roof']],
      breaks: [['2026-10-24T23:30', '2026-10-25T00:30']],
    });
    expect(projectSeconds(night, windowOf(range('2026-10-24', '2026-10-24')))).toEqual(new Map([['roof', hours(1.5)]]));
    expect(projectSeconds(night, windowOf(range('2026-10-25', '2026-10-25')))).toEqual(new Map([['roof', hours(6.5)]]));
    expect(projectSeconds(night, windowOf(range('2026-10-26', '2026-10-26')))).toEqual(new Map());
  });
});

describe('workPieces', () => {
  it('returns the timespan with its counted seconds', () => {
    expect(workPieces(mixed).map(({ timespan, gross, breaks, net }) => [timespan?.id, gross / 3600, breaks / 3600, net / 3600])).toEqual([
      ['work-0', 5, 0.5, 4.5],
      ['work-1', 2, 0.25, 1.75],
      ['work-2', 1, 0, 1],
      ['work-3', 1, 0, 1],
    ]);
  });

  it('leaves out timespans outside of the workday', () => {
    const outside = workday('2026-05-04T08:00', '2026-05-04T12:00', { work: [['2026-05-04T12:00', '2026-05-04T13:00', 'roof']] });
    expect(workPieces(outside)).toEqual([]);
  });
});
