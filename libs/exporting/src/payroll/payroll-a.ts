import { calendarDate, type AbsenceCategory } from '@stechuhr/worktime';
import type { ChosenColumn } from '../columns/choose-columns.js';
import { replaceUnencodable } from '../encodings/replace-unencodable.js';
import { setDays, type RowType } from '../row-types/row-type.js';
import {
  countColumn,
  fixedColumnReference,
  rowTextColumn,
  textColumn,
  wholeColumn,
  type FixedLayout,
  type LayoutContext,
} from './fixed-layout.js';
import { payrollFormats } from './formats.js';
import { ABSENCES, absenceDayCount, absenceSeconds, totalCode, typeOf, WORK, type WageCodeTexts } from './wage-code.js';

function texts(id: string, label: string, description: string): WageCodeTexts {
  return { id, label, description, example: `types=${id}` };
}

/** A wage code that has no rows in many months: its example also requests a code that is always present. */
function rareTexts(id: string, label: string, description: string): WageCodeTexts {
  return { ...texts(id, label, description), example: `types=${id}|401` };
}

/** Payroll does not distinguish absence types of one category: a day has one row, regardless of the type. */
const vacationDays: RowType = {
  ...typeOf(texts('360', 'Urlaubstag', 'Eine Zeile je Urlaubstag: Dat ist der Tag des Monats, halbe Tage zählen 0,50.'), 'days'),
  needs: ABSENCES,
  write(sheet, row, emit) {
    const days = new Map<number, number>();
    for (const { day, category, dayPart } of sheet.absenceDays) {
      if (category === 'vacation') days.set(day, (days.get(day) ?? 0) + dayPart);
    }
    for (const [day, count] of days) {
      row.day = day;
      setDays(row, count);
      emit(row);
    }
  },
};

const NAMED: ReadonlySet<AbsenceCategory> = new Set<AbsenceCategory>(['sick', 'education']);

const namedDays: RowType = {
  ...typeOf(
    texts('99001', 'Fehltag', 'Eine Zeile je Tag und Art von Krankheit oder Fortbildung; Text ist die Bezeichnung der Art.'),
    'days',
  ),
  needs: ABSENCES,
  write(sheet, row, emit) {
    const labels = new Map(sheet.context.directory.institution.absenceTypes.map(({ value, label }) => [value, label]));
    for (const { day, category, missingType, dayPart } of sheet.absenceDays) {
      if (!NAMED.has(category)) continue;
      row.day = day;
      row.absence = { value: missingType, label: labels.get(missingType) ?? missingType };
      setDays(row, dayPart);
      emit(row);
    }
  },
};

/** In the order of the spec's table. */
const wageCodes: readonly RowType[] = [
  totalCode(rareTexts('301', 'Sonntagsstunden', 'Arbeitszeit an Sonntagen (0 bis 24 Uhr) ohne Pausen.'), {
    unit: 'hours',
    needs: WORK,
    figure: ({ totals }) => totals.sunday,
  }),
  totalCode(rareTexts('305', 'Nachtstunden', 'Arbeitszeit zwischen 23:00 und 06:00 Uhr ohne Pausen.'), {
    unit: 'hours',
    needs: WORK,
    figure: ({ totals }) => totals.night,
  }),
  vacationDays,
  totalCode(texts('157', 'Urlaubstage', 'Summe der Urlaubstage.'), {
    unit: 'days',
    needs: ABSENCES,
    figure: absenceDayCount('vacation'),
  }),
  totalCode(texts('402', 'Urlaubsstunden', 'Summe der Urlaubsstunden.'), {
    unit: 'hours',
    needs: ABSENCES,
    figure: absenceSeconds('vacation'),
  }),
  namedDays,
  totalCode(texts('158', 'Krankheitstage', 'Summe der Krankheitstage.'), {
    unit: 'days',
    needs: ABSENCES,
    figure: absenceDayCount('sick'),
  }),
  totalCode(texts('403', 'Krankheitsstunden', 'Summe der Krankheitsstunden.'), {
    unit: 'hours',
    needs: ABSENCES,
    figure: absenceSeconds('sick'),
  }),
  totalCode(rareTexts('424', 'Fortbildungsstunden', 'Summe der Stunden von Fortbildung und Berufsschule.'), {
    unit: 'hours',
    needs: ABSENCES,
    figure: absenceSeconds('education'),
  }),
  totalCode(texts('400', 'Sollstunden', 'Sollzeit laut Vertrag, an Feiertagen 0; die Zeile steht immer da.'), {
    unit: 'hours',
    needs: ['contracts'],
    figure: ({ totals }) => totals.planned.seconds,
    keepsZero: true,
  }),
  totalCode(texts('401', 'Iststunden', 'Erfasste Arbeitszeit ohne Pausen; die Zeile steht immer da.'), {
    unit: 'hours',
    needs: WORK,
    figure: ({ totals }) => totals.net,
    keepsZero: true,
  }),
];

/** Wage records with a header row and thirteen columns: one row per employee and wage code, or per day of an absence. */
export const payrollA: FixedLayout = {
  wageCodes,
  absences: new Set(['vacation', 'sick', 'education']),
  choosesCodes: true,
  formats: payrollFormats({ header: true }),
  columns,
  columnReference: fixedColumnReference(
    [
      ['MDNr', 'Mandantennummer', 'Nummer der Organisation in der Lohnabrechnung; leer, wo sie keine hat.'],
      ['AbrMon', 'Abrechnungsmonat', 'Monat, in dem der Zeitraum beginnt, ohne führende Null.'],
      ['AbrJahr', 'Abrechnungsjahr', 'Jahr, in dem der Zeitraum beginnt.'],
      ['ANNr', 'Arbeitnehmernummer', 'Lohnnummer der Person, wie sie erfasst ist; wer keine hat, fehlt in der Datei.'],
      ['LANr', 'Lohnart', 'Nummer der Lohnart.'],
      ['Dat', 'Tag', 'Tag des Monats bei einzelnen Tagen (360 und 99001), sonst leer.', ['360', '99001']],
      ['Kost', 'Kostenstelle', 'Name der Abteilung der Person.'],
      ['KoTr', 'Kostenträger', 'Immer leer.', []],
      ['AA', 'Abrechnungsart', 'Immer leer.', []],
      ['Anz', 'Anzahl', 'Stunden oder Tage mit zwei Stellen und Dezimalkomma, in JSON und Excel als Zahl.'],
      ['Betrag', 'Betrag', 'Immer leer.', []],
      ['Zuschlag', 'Zuschlag', 'Immer leer.', []],
      ['Text', 'Text', 'Bezeichnung der Lohnart, bei 99001 die der Abwesenheitsart.'],
    ],
    'export_format=json',
  ),
  required: {},
  readFirstRow(config, _period, report) {
    if (config !== null) report('The exporter "payroll_a" takes no config.');
    return null;
  },
};

function columns({ directory, period, format }: LayoutContext): readonly ChosenColumn[] {
  const { month, year } = calendarDate(period.first);
  const empty = (header: string): ChosenColumn => textColumn(header, () => null);
  // An unencodable name of a department or absence type must not prevent payroll, so it is replaced; numbers are never replaced.
  const label = (text: string): string => replaceUnencodable(text, format.encoding);
  return [
    textColumn('MDNr', () => directory.institution.payrollClientNumber),
    wholeColumn('AbrMon', () => month, true),
    wholeColumn('AbrJahr', () => year, true),
    textColumn('ANNr', ({ block }) => block.staff.accountingNumber),
    wholeColumn('LANr', ({ block }) => Number(block.type.id), true),
    wholeColumn('Dat', ({ day }) => (day === null ? null : calendarDate(day).day), false),
    textColumn('Kost', ({ block }) => (block.department ? label(block.department.name) : null)),
    ...['KoTr', 'AA'].map(empty),
    countColumn('Anz', format),
    ...['Betrag', 'Zuschlag'].map(empty),
    rowTextColumn('Text', ({ absence, block }) => label(absence?.label ?? block.type.label)),
  ];
}
