import { describe, expect, it } from '@jest/globals';
import type { ExportDirectory, StaffRecords } from './directory.js';
import { parseExportRequest } from './request/parse-request.js';
import { selectStaff } from './select-staff.js';
import { settleStaff } from './settle-staff.js';
import { absence, contract, day, directory, EASTER, id, member, records, shift, streamOf } from './test/fixture.js';

const left = { leftOn: day('2026-03-31') };
const later = { hiredOn: day('2026-04-08') };
const staff = [
  member({ id: id(1), lastName: 'Dauer', accountingNumber: '10' }),
  member({ id: id(2), lastName: 'Fort', accountingNumber: '3', ...left }),
  member({ id: id(3), lastName: 'Nachtrag', accountingNumber: '2', ...left }),
  member({ id: id(4), lastName: 'Ohne' }),
  member({ id: id(5), lastName: 'Ohne Fort', ...left }),
  member({ id: id(6), lastName: 'Ohne Nachtrag', ...left }),
  member({ id: id(7), lastName: 'Archiv', accountingNumber: '1', archivedOn: day('2026-03-31'), ...left }),
  member({ id: id(8), lastName: 'Letzter Tag', accountingNumber: '4', leftOn: day('2026-04-01') }),
  member({ id: id(9), lastName: 'Weg', accountingNumber: '5', ...left }),
  member({ id: id(10), lastName: 'Neu', accountingNumber: '6', ...later }),
  member({ id: id(11), lastName: 'Neu Ohne', ...later }),
  member({ id: id(12), lastName: 'Probetag', accountingNumber: '7', ...later }),
  member({ id: id(13), lastName: 'Erster Tag', accountingNumber: '8', hiredOn: day('2026-04-07') }),
];
const known: ExportDirectory = { ...directory, staff };
const worked = { workdays: [shift(1, '2026-04-01T08:00', '2026-04-01T10:00')] };
/** The last one has no records, because the employee was deleted in the meantime. */
const all: readonly StaffRecords[] = [
  records(id(1)),
  records(id(2)),
  records(id(3), worked),
  records(id(4), { contracts: [contract], absences: [absence({})] }),
  records(id(5)),
  records(id(6), worked),
  records(id(10), { contracts: [contract], absences: [absence({})] }),
  records(id(11)),
  records(id(12), worked),
];

async function settle(parameters: Record<string, string>, exporter = 'payroll_a', firm = known): Promise<unknown> {
  const request = parseExportRequest(exporter, { daterange: EASTER, ...parameters }, firm);
  const asked: string[] = [];
  const { sections, skipped } = await settleStaff(await selectStaff(request, firm), {
    request,
    directory: firm,
    read: (wanted) => {
      asked.push(...wanted.map(({ lastName }) => lastName));
      return streamOf(all.filter(({ employeeId }) => wanted.some((one) => one.id === employeeId)));
    },
  });
  const included = sections.flat().map(({ lastName }) => lastName);
  return { asked, included, skipped: skipped.map(({ name, reason }) => [name, reason]) };
}

describe('settleStaff', () => {
  it('reads records only of employees who left before the period or come after it, and says why one is not in the file', async () => {
    expect(await settle({})).toEqual({
      asked: ['Fort', 'Nachtrag', 'Ohne Fort', 'Ohne Nachtrag', 'Weg', 'Neu', 'Neu Ohne', 'Probetag'],
      included: ['Nachtrag', 'Letzter Tag', 'Probetag', 'Erster Tag', 'Dauer'],
      skipped: [
        ['Anna Fort', 'left'],
        ['Anna Ohne', 'no-accounting-number'],
        ['Anna Ohne Fort', 'left'],
        ['Anna Ohne Nachtrag', 'no-accounting-number'],
        ['Anna Archiv', 'archived'],
        ['Anna Neu', 'not-yet-hired'],
        ['Anna Neu Ohne', 'not-yet-hired'],
      ],
    });
  });

  it('checks the whole period, whatever wage codes are asked for', async () => {
    expect(await settle({ types: '360' })).toMatchObject({ included: ['Nachtrag', 'Letzter Tag', 'Probetag', 'Erster Tag', 'Dauer'] });
  });

  it('does not count employees without records that match the filter', async () => {
    expect(await settle({ filter: 'missing-type=vacation' })).toMatchObject({ skipped: [['Anna Ohne', 'no-accounting-number']] });
    expect(await settle({ filter: 'missing-type=sick' })).toMatchObject({ skipped: [] });
  });

  it('leaves the staff of other exporters alone', async () => {
    const names = staff.map(({ lastName }) => lastName).filter((name) => name !== 'Archiv');
    expect(await settle({}, 'generic')).toEqual({ asked: [], included: names, skipped: [['Anna Archiv', 'archived']] });
  });
});
