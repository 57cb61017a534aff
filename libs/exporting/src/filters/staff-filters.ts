import { parseBoolean, stockMessages } from '@stechuhr/kernel';
import { parseLocalDate } from '@stechuhr/worktime';
import { customField, POSITION_FIELD } from '../columns/employee-columns.js';
import { departmentOf, type ExportDirectory, type StaffMember } from '../directory.js';
import { quoted } from '../problems.js';
import { folded, type FilterKey, type StaffFilter } from './filter.js';

/** Returns the texts of an employee that a filter compares. */
type Texts = (staff: StaffMember, directory: ExportDirectory) => readonly (string | null)[];

function matching(matches: (staff: StaffMember) => boolean): StaffFilter {
  return { scope: 'staff', matches };
}

/** Creates a filter that compares whole texts. An empty value matches an empty field. */
export function textFilter(id: string, title: string, example: string, texts: Texts): FilterKey {
  return {
    id,
    title,
    description: `${title}: ganzer Wert, Groß- und Kleinschreibung egal.`,
    example: `filter=${id}=${example}`,
    compile: (values, directory) => {
      const wanted = new Set(values.map(folded));
      return matching((staff) => texts(staff, directory).some((text) => wanted.has(folded(text ?? ''))));
    },
  };
}

const search: FilterKey = {
  id: 'q',
  title: 'Suche',
  description: 'Teil eines Namens, einer Nummer oder der E-Mail-Adresse.',
  example: 'filter=q=mül',
  compile: (values) => {
    const wanted = values.map(folded);
    return matching(({ firstName, lastName, number, accountingNumber, email }) => {
      const text = folded([`${firstName} ${lastName}`, `${lastName} ${firstName}`, number, accountingNumber ?? '', email ?? ''].join('\n'));
      return wanted.some((part) => text.includes(part));
    });
  },
};

function dateFilter(id: string, title: string, compare: (hiredOn: number, day: number) => boolean): FilterKey {
  return {
    id,
    title,
    description: `${title} (JJJJ-MM-TT), der Tag selbst nicht.`,
    example: `filter=${id}=2026-01-01`,
    compile: (values, _directory, report) => {
      const days = values.flatMap((value) => {
        const day = parseLocalDate(value);
        if (day === undefined) report(`${quoted(`${id}=${value}`)}: ${stockMessages.date}`);
        return day === undefined ? [] : [day];
      });
      return matching(({ hiredOn }) => days.some((day) => compare(hiredOn, day)));
    },
  };
}

const hasAccountingNumber: FilterKey = {
  id: 'has-accounting-number',
  title: 'Hat Lohnnummer',
  description: 'true: mit Lohnnummer, false: ohne.',
  example: 'filter=has-accounting-number=true',
  compile: (values, _directory, report) => {
    const wanted = values.map((value) => {
      const flag = parseBoolean(value);
      if (flag === undefined) report(`${quoted(`has-accounting-number=${value}`)}: ${stockMessages.boolean}`);
      return flag;
    });
    return matching(({ accountingNumber }) => wanted.includes((accountingNumber ?? '') !== ''));
  },
};

const archived: FilterKey = {
  id: 'archived',
  title: 'Archiviert',
  description: 'true: archiviert, false: nicht archiviert, all: beide. Vor dem Zeitraum Archivierte fehlen immer.',
  example: 'filter=archived=false',
  compile: (values, _directory, report) => {
    const wanted = values.map((value) => {
      const flag = value.toLowerCase() === 'all' ? 'all' : parseBoolean(value);
      if (flag === undefined) report(`${quoted(`archived=${value}`)}: The value must be true, false or all.`);
      return flag;
    });
    return matching(({ archivedOn }) => wanted.includes('all') || wanted.includes(archivedOn !== null));
  },
};

/** Filters that do not need time records. */
export const staffFilters: readonly FilterKey[] = [
  search,
  textFilter('first-name', 'Vorname', 'Jürgen', ({ firstName }) => [firstName]),
  textFilter('last-name', 'Nachname', 'Müller,Kowalczyk', ({ lastName }) => [lastName]),
  textFilter('email', 'E-Mail', 'juergen.mueller@rauscher-bau.example', ({ email }) => [email]),
  textFilter('accounting-number', 'Lohnnummer', '10005,10006', ({ accountingNumber }) => [accountingNumber]),
  textFilter('employee-number', 'Personalnummer', '1005', ({ number }) => [number]),
  textFilter('position', 'Position', 'Polier', ({ customFields }) => [customField(customFields, POSITION_FIELD)]),
  textFilter('department', 'Abteilung (Name oder ID)', 'Hochbau', (staff, directory) => [
    departmentOf(staff, directory)?.name ?? null,
    staff.departmentId,
  ]),
  textFilter('cost-center', 'Kostenstelle', '2000', (staff, directory) => [departmentOf(staff, directory)?.costCenter ?? null]),
  archived,
  hasAccountingNumber,
  dateFilter('hired-before', 'Eingestellt vor', (hiredOn, day) => hiredOn < day),
  dateFilter('hired-after', 'Eingestellt nach', (hiredOn, day) => hiredOn > day),
];

/** Creates a filter on a custom field of the employees. */
export function customFilter(id: string, field: string): FilterKey {
  return textFilter(id, field, 'Wert', ({ customFields }) => [customField(customFields, field)]);
}
