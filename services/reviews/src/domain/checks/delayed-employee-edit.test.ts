import { describe, expect, it } from '@jest/globals';
import type { Edit } from '../subject.js';
import { at, day, findIn, moment, workday } from '../test-support.js';
import { delayedEmployeeEdit } from './delayed-employee-edit.js';

const edit = (text: string, by: Edit['by'] = 'employee'): Edit => ({ at: at(text), by });
const seen = (edits: readonly Edit[], options = {}, end: string | null = '16:00') =>
  findIn(delayedEmployeeEdit, [workday('2026-05-04', '08:00', end, { edits })], { options });

describe('delayed-employee-edit', () => {
  it('shows the latest edit and its delay', () => {
    expect(seen([edit('2026-05-12T16:00:00'), edit('2026-05-05T09:00:00')])).toEqual([
      {
        date: day('2026-05-04'),
        references: [['workday', '2026-05-04T08:00']],
        context: { edited_at: '2026-05-12T16:00:00', delay_seconds: 691_200 },
        details: 'Der Arbeitstag vom 04.05.2026 wurde 192 Stunden nach seinem Ende geändert, vorgesehen sind höchstens 168 Stunden.',
      },
    ]);
  });

  it.each<[string, readonly Edit[], object, number]>([
    ['after a week', [edit('2026-05-11T16:00:00')], {}, 0],
    ['a second later', [edit('2026-05-11T16:00:01')], {}, 1],
    ['after as many hours as set', [edit('2026-05-05T16:30:00')], { hours: 24.5 }, 0],
    ['a second after these', [edit('2026-05-05T16:30:01')], { hours: 24.5 }, 1],
    ['by somebody else', [edit('2026-06-30T00:00:00', 'manager'), edit('2026-06-30T00:00:00', 'system')], {}, 0],
    ['by the employee before somebody else', [edit('2026-06-01T00:00:00'), edit('2026-06-30T00:00:00', 'manager')], {}, 1],
    ['before the end', [edit('2026-05-04T12:00:00')], { hours: 0 }, 0],
    ['never', [], { hours: 0 }, 0],
  ])('checks an edit %s', (_, edits, options, count) => {
    expect(seen(edits, options)).toHaveLength(count);
  });

  it('ignores open workdays', () => {
    expect(seen([edit('2026-06-30T00:00:00')], {}, null)).toEqual([]);
  });

  it('measures elapsed time when clocks change', () => {
    const saturday = (text: string) => workday('2026-03-28', '08:00', '16:00', { edits: [edit(text)] });
    const found = (text: string) =>
      findIn(delayedEmployeeEdit, [saturday(text)], { options: { hours: 24 }, moment: moment({ year: 2026, month: 3 }) }).length;
    expect([found('2026-03-29T17:00:00'), found('2026-03-29T17:00:01')]).toEqual([0, 1]);
  });
});
