import type { AbsenceType, PeriodTotals } from '@stechuhr/worktime';
import type { Unit } from '../row.js';
import { setDays, setSeconds, type RecordPart, type RowType } from './row-type.js';

/** A figure of the whole period: one row per employee and unit. */
interface Total {
  readonly subject: string;
  readonly title: string;
  readonly description: string;
  readonly needs: readonly RecordPart[];
  readonly seconds: (totals: PeriodTotals) => number;
  readonly days?: (totals: PeriodTotals) => number;
  /** Whether it is 0 for all employees in many months. */
  readonly isRare?: true;
}

const WORK: readonly RecordPart[] = ['workdays', 'timespans'];
const PLAN: readonly RecordPart[] = ['contracts'];
const ABSENCES: readonly RecordPart[] = ['contracts', 'absences'];
const EVERYTHING: readonly RecordPart[] = ['contracts', 'absences', 'workdays', 'timespans'];

const totals: readonly Total[] = [
  {
    subject: 'credit-time',
    title: 'Angerechnete Zeit',
    description: 'Arbeitszeit zuzüglich angerechneter Abwesenheiten und Feiertage; in Tagen: Tage, an denen etwas angerechnet wird.',
    needs: EVERYTHING,
    seconds: ({ credited }) => credited.seconds,
    days: ({ credited }) => credited.days,
  },
  {
    subject: 'work-time',
    title: 'Arbeitszeit',
    description: 'Erfasste Arbeitszeit ohne Pausen.',
    needs: WORK,
    seconds: ({ net }) => net,
  },
  {
    subject: 'gross-time',
    title: 'Anwesenheit',
    description: 'Erfasste Zeit von Beginn bis Ende einschließlich der Pausen.',
    needs: ['workdays'],
    seconds: ({ gross }) => gross,
  },
  {
    subject: 'break-time',
    title: 'Pausen',
    description: 'Erfasste Pausen innerhalb der Arbeitstage.',
    needs: WORK,
    seconds: ({ breaks }) => breaks,
  },
  {
    subject: 'planned-time',
    title: 'Sollzeit',
    description: 'Sollzeit laut Vertrag, an Feiertagen 0; in Tagen: Tage mit Sollzeit.',
    needs: PLAN,
    seconds: ({ planned }) => planned.seconds,
    days: ({ planned }) => planned.days,
  },
  {
    subject: 'balance',
    title: 'Saldo',
    description: 'Arbeitszeit und angerechnete Abwesenheiten abzüglich der Sollzeit.',
    needs: EVERYTHING,
    seconds: ({ balance }) => balance,
  },
  {
    subject: 'overtime',
    title: 'Überstunden',
    description: 'Positiver Teil des Saldos über den ganzen Zeitraum.',
    needs: EVERYTHING,
    seconds: ({ overtime }) => overtime,
  },
  {
    subject: 'night-time',
    isRare: true,
    title: 'Nachtarbeit',
    description: 'Arbeitszeit zwischen 23:00 und 06:00 Uhr ohne Pausen.',
    needs: WORK,
    seconds: ({ night }) => night,
  },
  {
    subject: 'sunday-time',
    isRare: true,
    title: 'Sonntagsarbeit',
    description: 'Arbeitszeit an Sonntagen (0 bis 24 Uhr) ohne Pausen.',
    needs: WORK,
    seconds: ({ sunday }) => sunday,
  },
  {
    subject: 'saturday-time',
    isRare: true,
    title: 'Samstagsarbeit',
    description: 'Arbeitszeit an Samstagen (0 bis 24 Uhr) ohne Pausen.',
    needs: WORK,
    seconds: ({ saturday }) => saturday,
  },
  {
    subject: 'holiday-time',
    isRare: true,
    title: 'Feiertagsarbeit',
    description: 'Arbeitszeit an gesetzlichen Feiertagen (0 bis 24 Uhr) ohne Pausen.',
    needs: WORK,
    seconds: ({ holidayWork }) => holidayWork,
  },
  {
    subject: 'public-holiday',
    isRare: true,
    title: 'Feiertage',
    description: 'Sollzeit, die auf gesetzliche Feiertage fällt; in Tagen: Feiertage mit Sollzeit.',
    needs: PLAN,
    seconds: ({ publicHoliday }) => publicHoliday.seconds,
    days: ({ publicHoliday }) => publicHoliday.days,
  },
  {
    subject: 'absence',
    title: 'Abwesenheit',
    description: 'Abwesenheiten aller Arten.',
    needs: ABSENCES,
    seconds: ({ absence }) => absence.seconds,
    days: ({ absence }) => absence.days,
  },
];

/** The figures of the whole period: one row per employee. */
export const totalTypes: readonly RowType[] = totals.flatMap(typesOf);

/** Returns the row types of an absence type of the institution. */
export function absenceTotalTypes({ value, label }: AbsenceType): readonly RowType[] {
  const total: Total = {
    subject: value,
    title: label,
    description: `Abwesenheiten der Art ${label}.`,
    needs: ABSENCES,
    seconds: ({ absences }) => absences.get(value)?.seconds ?? 0,
    days: ({ absences }) => absences.get(value)?.days ?? 0,
  };
  return typesOf(total).map((type) => ({ ...type, absence: { value, label }, details: ['absence'] }));
}

function typesOf(total: Total): RowType[] {
  const { seconds, days } = total;
  const types = [{ ...entryOf(total, 'hours'), write: writer((row, totals) => setSeconds(row, seconds(totals))) }];
  if (days !== undefined) types.push({ ...entryOf(total, 'days'), write: writer((row, totals) => setDays(row, days(totals))) });
  return types;
}

function entryOf(total: Total, unit: Unit): Omit<RowType, 'write'> {
  const id = `${total.subject}:${unit}`;
  const title = `${total.title} (${unit === 'hours' ? 'Stunden' : 'Tage'})`;
  const example = `types=${id}${total.isRare === true ? '&skip_zero_rows=false' : ''}`;
  return { id, label: total.title, unit, title, description: total.description, example, needs: total.needs };
}

function writer(set: (row: Parameters<RowType['write']>[1], totals: PeriodTotals) => void): RowType['write'] {
  return (sheet, row, emit) => {
    set(row, sheet.totals);
    emit(row);
  };
}
