import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import type { ExportDirectory, StaffMember, StaffRecords } from '../directory.js';
import type { NeededParts } from '../needed-parts.js';
import { parseExportRequest } from '../request/parse-request.js';
import type { SkippedStaff } from '../select-staff.js';
import { absence, anna, annasWeek, bernd, day, directory, EASTER, id, member, records, streamOf } from '../test/fixture.js';
import { payrollWarnings } from './warnings.js';

const { institution } = directory;
const parental = { value: 'parental', label: 'Elternzeit', category: 'other', credited: false } as const;
const known: ExportDirectory = { ...directory, institution: { ...institution, absenceTypes: [...institution.absenceTypes, parental] } };
const numbered = (member: StaffMember, accountingNumber: string) => ({ ...member, accountingNumber });

async function warningsOf(
  staff: readonly StaffMember[],
  exporter: string,
  {
    all = [] as readonly StaffRecords[],
    at = known,
    skipped = [] as readonly SkippedStaff[],
    filter = undefined as string | undefined,
  } = {},
) {
  const config = exporter === 'payroll_b' ? { config: '1|2' } : {};
  const request = parseExportRequest(exporter, { daterange: EASTER, ...config, ...(filter !== undefined && { filter }) }, at);
  const asked: NeededParts[] = [];
  const warnings = await payrollWarnings({
    ...{ request, directory: at, staff, skipped },
    read(members, parts) {
      asked.push(parts);
      return streamOf(all.filter(({ employeeId }) => members.some(({ id }) => id === employeeId)));
    },
  });
  return { warnings, asked };
}

describe('payrollWarnings', () => {
  it('reports employees with equal accounting numbers, ignoring leading zeros', async () => {
    const { warnings } = await warningsOf([numbered(anna, '007'), numbered(bernd, '7')], 'payroll_a');
    expect(warnings).toEqual([
      {
        code: 'shared-accounting-number',
        about: '7',
        message:
          'The accounting number 7 is shared by 2 employees, whom a payroll program adds up: ' +
          `${anna.firstName} ${anna.lastName} (${anna.number}), ${bernd.firstName} ${bernd.lastName} (${bernd.number}).`,
      },
    ]);
  });

  it.each([
    ['1', 0],
    ['00042', 0],
    ['99999', 0],
    ['000000099999', 0],
    ['100000', 1],
    ['0', 1],
    ['A-7', 1],
    ['12 3', 1],
  ])('for the number %j in payroll_b: %d numbers that DATEV Lohn und Gehalt does not accept', async (number, count) => {
    const { warnings } = await warningsOf([numbered(anna, number)], 'payroll_b');
    expect(warnings.map(({ code, about }) => [code, about])).toEqual(count === 0 ? [] : [['unusable-accounting-number', number]]);
    expect((await warningsOf([numbered(anna, number)], 'payroll_a')).warnings).toEqual([]);
  });

  it('reports absences of types without a wage code, and reads nothing else for it', async () => {
    const staff = [numbered(anna, '1'), numbered(bernd, '2')];
    const all = [
      records(anna.id, { absences: [absence({ missingType: 'parental' }), absence({ missingType: 'vacation' })] }),
      records(bernd.id, { absences: [absence({ missingType: 'parental', startsOn: day('2026-04-08'), endsOn: day('2026-04-09') })] }),
    ];
    const { warnings, asked } = await warningsOf(staff, 'payroll_b', { all });
    expect(warnings).toMatchObject([{ code: 'absence-without-wage-code', about: 'parental' }]);
    expect(warnings[0]?.message).toContain(
      `Elternzeit (parental) have no wage code in payroll_b and are not in the file: ${anna.firstName}`,
    );
    expect(asked).toMatchObject([{ absences: true, contracts: false, workdays: false, timespans: false }]);
  });

  it('reports absences of a type that the institution does not have any more', async () => {
    const all = [records(anna.id, { absences: [absence({ missingType: 'vacation' }), absence({ missingType: 'former' })] })];
    const { warnings } = await warningsOf([numbered(anna, '1')], 'payroll_a', { at: directory, all });
    expect(warnings).toEqual([
      {
        code: 'absence-without-wage-code',
        about: 'former',
        message:
          'Absences of type former, which is not configured, have no wage code in payroll_a and are not in the file: ' +
          `${anna.firstName} ${anna.lastName} (${anna.number}).`,
      },
    ]);
  });

  it('reports employees without a number, but not those who are archived or have left', async () => {
    const skipped: readonly SkippedStaff[] = [
      { id: anna.id, name: 'Anna', reason: 'no-accounting-number' },
      { id: bernd.id, name: 'Bernd', reason: 'left' },
    ];
    const { warnings } = await warningsOf([], 'payroll_a', { skipped });
    const message = `1 employee without accounting number is not in the file: ${anna.firstName} ${anna.lastName} (${anna.number}).`;
    expect(warnings).toEqual([{ code: 'staff-left-out', about: 'no-accounting-number', message }]);
    expect((await warningsOf([], 'generic', { skipped })).warnings).toEqual([]);
  });

  it('does not report employees whom a filter on records excludes', async () => {
    const staff = [numbered(anna, '7'), numbered(bernd, '7'), numbered({ ...bernd, id: 'clara' }, 'A-7')];
    const ill = absence({ missingType: 'sick' });
    const all = [
      records(anna.id, { absences: [ill] }),
      records(bernd.id, { absences: [absence({ missingType: 'parental' })] }),
      records('clara', {}),
    ];
    const codes = async (filter?: string) => (await warningsOf(staff, 'payroll_b', { all, filter })).warnings.map(({ code }) => code);
    expect(await codes()).toEqual(['shared-accounting-number', 'unusable-accounting-number', 'absence-without-wage-code']);
    expect(await codes('missing-type=sick')).toEqual([]);
    expect(await codes('missing-type!=sick')).toEqual(['unusable-accounting-number', 'absence-without-wage-code']);
  });

  it('keeps the records of few employees in memory while filtering, and reads only what the filter needs', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const staff = Array.from({ length: 100 }, (_, n) => member({ id: id(1000 + n), accountingNumber: String(n) }));
    const at = { ...directory, staff };
    const request = parseExportRequest('payroll_a', { daterange: EASTER, filter: 'missing-type!=sick' }, at);
    const given: WeakRef<StaffRecords>[] = [];
    const asked: NeededParts[] = [];
    let held = 0;
    const read = async function* (members: readonly StaffMember[], parts: NeededParts) {
      asked.push(parts);
      for (const { id: employeeId } of members) {
        const entry = records(employeeId, { workdays: annasWeek.workdays });
        given.push(new WeakRef(entry));
        yield entry;
      }
      // A dereferenced WeakRef keeps its target alive until the end of the current job.
      await setImmediate();
      collect();
      held = given.filter((entry) => entry.deref() !== undefined).length;
    };
    expect(await payrollWarnings({ request, directory: at, staff, skipped: [], read })).toEqual([]);
    expect(given).toHaveLength(2 * staff.length);
    expect(held).toBeLessThan(5);
    expect(asked).toMatchObject([
      { contracts: true, absences: true, workdays: false, timespans: false },
      { contracts: false, absences: true, workdays: false, timespans: false },
    ]);
  });

  it('reads and reports nothing for other exporters', async () => {
    expect(await warningsOf([numbered(anna, '1'), numbered(bernd, '1')], 'generic')).toEqual({ warnings: [], asked: [] });
  });
});
