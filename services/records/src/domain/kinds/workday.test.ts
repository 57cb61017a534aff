import { describe, expect, it } from '@jest/globals';
import { workday } from './workday.js';

const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;
const span = {
  id: uuid(3),
  type: 'work',
  started_at: '2026-03-02T08:00:00',
  ended_at: '2026-03-02T12:00:00',
  project_id: null,
  comment: null,
};
const line = { employee_id: uuid(1), date: '2026-03-02', started_at: '2026-03-02T08:00:00' };

describe('the timespans of a workday', () => {
  describe('in the night in which the hour from 02:00 to 03:00 is repeated', () => {
    /** Times are those of 25 October unless they are 20:00 or later; `HH:MM` local and in UTC. */
    const at = (time: string) => (time >= '20:00' ? `2026-10-24T${time}:00` : `2026-10-25T${time}:00`);
    const read = (shift: string, spans: readonly string[]) => {
      const [started_at, ended_at] = shift.split('-').map(at);
      const timespans = spans.map((text) => {
        const [type = '', times = ''] = text.split(' ');
        const [start, end] = times.split('-').map(at);
        return { ...span, type, started_at: start, ended_at: end };
      });
      const judged = workday.judge({ ...line, date: '2026-10-24', started_at, ended_at, timespans });
      if ('reason' in judged) throw new Error(judged.reason);
      const { fields } = judged.content;
      const written = (one: unknown) => {
        const interval = one as { readonly started_at: Date; readonly ended_at: Date };
        return [interval.started_at, interval.ended_at].map((time) => time.toISOString().slice(11, 16)).join('-');
      };
      return [written(fields), ...(fields['timespans'] as object[]).map(written)];
    };

    it.each<[string, string, readonly string[], readonly string[]]>([
      [
        'work after a break that ends in the second hour',
        '22:00-06:00',
        ['work 22:00-02:30', 'break 02:30-02:15', 'work 02:15-06:00'],
        // 4:30 + 3:45 of work and 0:45 of break are the 9 hours between 20:00 and 05:00 UTC.
        ['20:00-05:00', '20:00-00:30', '00:30-01:15', '01:15-05:00'],
      ],
      [
        'two breaks, one in each hour',
        '22:00-06:00',
        ['break 02:15-02:45', 'break 02:15-02:45'],
        ['20:00-05:00', '00:15-00:45', '01:15-01:45'],
      ],
      ['a break of a shift that begins in the hour', '02:30-10:00', ['break 02:15-02:45'], ['00:30-09:00', '01:15-01:45']],
      ['a break of a shift that begins and ends in it', '02:50-02:10', ['break 02:55-02:05'], ['00:50-01:10', '00:55-01:05']],
      [
        'the end of a shift whose last work lies in the second hour',
        '22:00-02:45',
        ['work 22:00-02:30', 'break 02:30-02:15', 'work 02:15-02:45'],
        ['20:00-01:45', '20:00-00:30', '00:30-01:15', '01:15-01:45'],
      ],
      [
        'the end of a shift in the first hour, although a break exceeds it',
        '22:00-02:45',
        ['break 02:40-02:50'],
        ['20:00-00:45', '00:40-00:50'],
      ],
      [
        'timespans that fit into the first hour',
        '22:00-06:00',
        ['work 22:00-02:15', 'break 02:15-02:30', 'work 02:30-06:00'],
        ['20:00-05:00', '20:00-00:15', '00:15-00:30', '00:30-05:00'],
      ],
      [
        'timespans in descending order',
        '22:00-06:00',
        ['work 02:40-06:00', 'work 02:10-02:40', 'work 22:00-02:10'],
        ['20:00-05:00', '00:40-05:00', '00:10-00:40', '20:00-00:10'],
      ],
      [
        'a break inside of a work timespan',
        '22:00-06:00',
        ['work 22:00-06:00', 'break 02:30-02:45'],
        ['20:00-05:00', '20:00-05:00', '00:30-00:45'],
      ],
    ])('resolves %s', (_, shift, spans, expected) => {
      expect(read(shift, spans)).toEqual(expected);
    });
  });

  it.each<[string, string | null, readonly [string, string | null], boolean]>([
    ['inside', '16:30', ['12:00', '12:30'], false],
    ['beyond the end in part', '16:30', ['16:00', '17:00'], false],
    ['before the start in part', '16:30', ['07:00', '08:01'], false],
    ['before the start', '16:30', ['07:00', '08:00'], true],
    ['after the end', '16:30', ['16:30', '17:00'], true],
    ['after the end and open', '16:30', ['16:30', null], true],
    ['after the start of an open workday', null, ['20:00', '21:00'], false],
    ['before the start of an open workday', null, ['07:00', '07:30'], true],
    ['without duration', '16:30', ['17:00', '17:00'], false],
  ])('reports a timespan that counts no time, %s: of a workday to %s, %j', (_, end, [from, to], expected) => {
    const at = (time: string | null) => (time === null ? null : `2026-03-02T${time}:00`);
    const timespans = [span, { ...span, type: 'break', started_at: at(from), ended_at: at(to) }];
    const ignored = expected ? ['timespans[1] lies outside of the workday, so it counts no time.'] : [];
    expect(workday.judge({ ...line, ended_at: at(end), timespans })).toMatchObject({ ignored });
  });
});
