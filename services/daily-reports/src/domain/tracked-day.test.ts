import { describe, expect, it } from '@jest/globals';
import { epochDay, formatLocalDate, parseLocalDateTime, type Timespan, type Workday } from '@stechuhr/worktime';
import fc from 'fast-check';
import { trackedDay } from './tracked-day.js';

const roof = 'roof';

/** Returns a local time of 2026, `MM-DDTHH:MM`; in the repeated hour the first occurrence. */
function at(text: string): number {
  const parsed = parseLocalDateTime(`2026-${text}:00`);
  if (parsed.kind !== 'ok') throw new Error(`${text} does not exist.`);
  return parsed.instant;
}

type Piece = readonly [start: string, end: string | null, project?: string | null, comment?: string | null];

interface Given {
  readonly work?: readonly Piece[];
  readonly breaks?: readonly Piece[];
}

function timespan(type: Timespan['type'], id: string, [start, end, projectId = roof, comment = null]: Piece): Timespan {
  return { id, type, startedAt: at(start), endedAt: end === null ? null : at(end), projectId: type === 'work' ? projectId : null, comment };
}

function shift(start: string, end: string | null, { work = [[start, end]], breaks = [] }: Given = {}): Workday {
  const timespans = [
    ...work.map((piece, index) => timespan('work', `w${String(index)}`, piece)),
    ...breaks.map((piece, index) => timespan('break', `b${String(index)}`, piece)),
  ];
  return { id: start, date: 0, startedAt: at(start), endedAt: end === null ? null : at(end), timespans };
}

const on = (date: string, ...workdays: readonly Workday[]) => {
  const [month = 0, day = 0] = date.split('-').map(Number);
  const { hours, activities } = trackedDay({ employeeId: 'e', workdays }, { tagId: roof, date: epochDay(2026, month, day) });
  return [hours, ...activities];
};

describe('hours of a day on a project', () => {
  it.each<[string, string, Workday[], number]>([
    ['a shift', '03-10', [shift('03-10T08:00', '03-10T16:30')], 8.5],
    [
      'only the work timespans of the project',
      '03-10',
      [
        shift('03-10T08:00', '03-10T17:00', {
          work: [
            ['03-10T08:00', '03-10T10:00'],
            ['03-10T10:00', '03-10T14:00', 'wall'],
            ['03-10T14:00', '03-10T15:00', null],
            ['03-10T15:00', '03-10T17:00'],
          ],
        }),
      ],
      4,
    ],
    [
      'no breaks inside, counting overlapping ones once',
      '03-10',
      [
        shift('03-10T08:00', '03-10T16:00', {
          breaks: [
            ['03-10T09:00', '03-10T09:15'],
            ['03-10T12:00', '03-10T12:30'],
            ['03-10T12:15', '03-10T12:45'],
          ],
        }),
      ],
      7,
    ],
    ['two shifts', '03-10', [shift('03-10T06:00', '03-10T08:00'), shift('03-10T18:00', '03-10T20:00')], 4],
    ['the evening of a night', '03-10', [shift('03-10T22:00', '03-11T06:00')], 2],
    ['the morning of a night', '03-11', [shift('03-10T22:00', '03-11T06:00')], 6],
    ['a night with a break over midnight, before', '03-10', [night()], 1.75],
    ['a night with a break over midnight, after', '03-11', [night()], 5.5],
    ['nothing of a shift that ends as the day begins', '03-11', [shift('03-10T16:00', '03-11T00:00')], 0],
    ['nothing of the day after', '03-12', [shift('03-10T22:00', '03-11T06:00')], 0],
    ['the night in which the clocks go forward', '03-29', [shift('03-28T22:00', '03-29T06:00')], 5],
    ['the night in which they go back', '10-25', [shift('10-24T22:00', '10-25T06:00')], 7],
    ['the whole day of 23 hours', '03-29', [shift('03-28T20:00', '03-30T06:00')], 23],
    ['no more than 24 of a day of 25 hours', '10-25', [shift('10-24T20:00', '10-26T06:00')], 24],
    ['no more than 24 of shifts at the same time', '03-10', [shift('03-10T00:00', '03-10T20:00'), shift('03-10T04:00', '03-10T23:00')], 24],
    [
      'nothing of an open shift, its closed timespans included',
      '03-10',
      [shift('03-10T08:00', null, { work: [['03-10T08:00', '03-10T12:00']] })],
      0,
    ],
    ['nothing of a timespan that still runs', '03-10', [shift('03-10T08:00', '03-10T16:00', { work: [['03-10T08:00', null]] })], 0],
    ['nothing of a shift without timespans', '03-10', [shift('03-10T08:00', '03-10T16:00', { work: [] })], 0],
    ['a third of an hour, rounded', '03-10', [shift('03-10T08:00', '03-10T08:20')], 0.33],
    ['an eighth of an hour, halves up', '03-10', [seconds(450)], 0.13],
    ['seconds that round to nothing', '03-10', [seconds(17)], 0],
    ['seconds that just count', '03-10', [seconds(18)], 0.01],
  ])('count %s', (_, date, workdays, expected) => {
    expect(on(date, ...workdays)[0]).toBe(expected);
  });

  function night(): Workday {
    return shift('03-10T22:00', '03-11T06:00', { breaks: [['03-10T23:45', '03-11T00:30']] });
  }

  function seconds(count: number): Workday {
    const start = at('03-10T08:00');
    const whole = shift('03-10T08:00', '03-10T09:00');
    return { ...whole, endedAt: start + count, timespans: whole.timespans.map((span) => ({ ...span, endedAt: start + count })) };
  }

  it('equal the result of counting minutes, on any day of the year', () => {
    const minutes = fc.integer({ min: 1, max: 400 });
    const piece = fc.record({ gap: fc.integer({ min: 0, max: 90 }), length: minutes, project: fc.constantFrom(roof, 'wall', null) });
    const pause = fc.record({ after: fc.integer({ min: 0, max: 2000 }), length: minutes });
    const anyShift = fc.record({
      start: fc.integer({ min: at('01-01T00:00') / 60, max: at('12-30T00:00') / 60 }),
      pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
      pauses: fc.array(pause, { maxLength: 3 }),
      daysLater: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(anyShift, ({ start, pieces, pauses, daysLater }) => {
        const timespans: Timespan[] = [];
        let end = start;
        for (const [index, { gap, length, project }] of pieces.entries()) {
          timespans.push(span(`w${String(index)}`, 'work', [end + gap, end + gap + length], project));
          end += gap + length;
        }
        for (const [index, { after, length }] of pauses.entries()) {
          timespans.push(span(`b${String(index)}`, 'break', [start + after, start + after + length], null));
        }
        const workday = { id: 'd', date: 0, startedAt: start * 60, endedAt: end * 60, timespans };
        const date = Math.floor((start * 60 + 3600) / 86_400) + daysLater;
        const counted = countMinutes(workday, date);
        const { hours } = trackedDay({ employeeId: 'e', workdays: [workday] }, { tagId: roof, date });
        expect(hours).toBe(Math.min(24, Math.round((counted * 100) / 60) / 100));
      }),
      { numRuns: 150 },
    );
  });

  function span(id: string, type: Timespan['type'], [from, to]: readonly [number, number], projectId: string | null): Timespan {
    return { id, type, startedAt: from * 60, endedAt: to * 60, projectId, comment: null };
  }

  const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' });

  /** Does not use intervals or knowledge about offset changes. */
  function countMinutes({ startedAt, endedAt, timespans }: Workday, date: number): number {
    const wanted = formatLocalDate(date);
    const covers = (instant: number) => (one: Timespan) => one.startedAt <= instant && instant < (one.endedAt ?? 0);
    let minutes = 0;
    for (let instant = startedAt; instant < (endedAt ?? 0); instant += 60) {
      const present = timespans.filter(covers(instant));
      if (!present.some(({ type, projectId }) => type === 'work' && projectId === roof)) continue;
      if (present.some(({ type }) => type === 'break')) continue;
      if (berlin.format(instant * 1000) === wanted) minutes += 1;
    }
    return minutes;
  }
});

describe('activities of a day on a project', () => {
  const commented = (...pieces: Piece[]) => shift('03-10T20:00', '03-11T06:00', { work: pieces });
  it.each<[string, string, Workday[], string[]]>([
    [
      'are the distinct comments by start',
      '03-10',
      [
        commented(
          ['03-10T23:00', '03-10T23:30', roof, 'b'],
          ['03-10T20:00', '03-10T21:00', roof, 'a'],
          ['03-10T22:00', '03-10T22:30', roof, 'b'],
        ),
      ],
      ['a', 'b'],
    ],
    [
      'are trimmed, case-sensitive and not blank',
      '03-10',
      [
        commented(
          ['03-10T20:00', '03-10T21:00', roof, ' Beton\n'],
          ['03-10T21:00', '03-10T22:00', roof, 'beton'],
          ['03-10T22:00', '03-10T22:30', roof, ' \t'],
          ['03-10T22:30', '03-10T23:00', roof, 'Beton'],
        ),
      ],
      ['Beton', 'beton'],
    ],
    [
      'are those of the project',
      '03-10',
      [commented(['03-10T20:00', '03-10T21:00', 'wall', 'a'], ['03-10T21:00', '03-10T22:00', null, 'b'])],
      [],
    ],
    [
      'belong to the day before midnight',
      '03-10',
      [commented(['03-10T23:00', '03-11T01:00', roof, 'a'], ['03-11T01:00', '03-11T02:00', roof, 'b'])],
      ['a'],
    ],
    [
      'and to the day after it',
      '03-11',
      [commented(['03-10T23:00', '03-11T01:00', roof, 'a'], ['03-10T22:00', '03-11T00:00', roof, 'b'])],
      ['a'],
    ],
    ['include those of a timespan without length', '03-10', [commented(['03-10T22:00', '03-10T22:00', roof, 'a'])], ['a']],
    ['on its day only', '03-10', [commented(['03-11T00:00', '03-11T00:00', roof, 'a'])], []],
    [
      'include those of a shift that is still open',
      '03-10',
      [
        shift('03-10T20:00', null, {
          work: [
            ['03-10T20:00', '03-10T21:00', roof, 'a'],
            ['03-10T21:00', null, roof, 'b'],
          ],
        }),
      ],
      ['a', 'b'],
    ],
    ['which last no longer than is known', '03-11', [shift('03-10T20:00', null, { work: [['03-10T21:00', null, roof, 'b']] })], []],
    ['let a timespan without end last as long as its shift', '03-11', [commented(['03-10T21:00', null, roof, 'b'])], ['b']],
  ])('%s', (_, date, workdays, expected) => {
    expect(on(date, ...workdays).slice(1)).toEqual(expected);
  });

  it('do not include comments of breaks', () => {
    const breaks: Piece[] = [['03-10T21:00', '03-10T22:00', roof, 'Pause']];
    const workday = shift('03-10T20:00', '03-11T06:00', { breaks });
    const timespans = workday.timespans.map((span) => ({ ...span, projectId: roof }));
    expect(on('03-10', { ...workday, timespans })).toEqual([3]);
  });
});
