import type { VacationBalance } from '../directory.js';
import type { Timesheet } from '../timesheet.js';
import { setHundredthDays, type RecordPart, type RowType } from './row-type.js';

/** A figure of the vacation account at the end of the period: one row per employee. */
interface VacationFigure {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly needs: readonly RecordPart[];
  /** In hundredths of days. */
  readonly figure: (sheet: Timesheet) => number;
}

const atEnd = (amountOf: (balance: VacationBalance) => number) => ({
  needs: ['vacation'] as const,
  figure: ({ vacation }: Timesheet) => amountOf(vacation),
});

/** The change in the year of the period's last day, up to that day. */
const inYear = (amountOf: (balance: VacationBalance) => number) => ({
  needs: ['vacation', 'vacationBefore'] as const,
  figure: ({ vacation, vacationBefore }: Timesheet) => amountOf(vacation) - amountOf(vacationBefore),
});

const expired = ({ granted, taken, remaining }: VacationBalance): number => granted - taken - remaining;

/** For each year: carry-over plus entitlement, minus days taken and expired, equals the remaining days. */
const figures: readonly VacationFigure[] = [
  {
    name: 'year-carry-over',
    title: 'Urlaubsübertrag aus dem Vorjahr',
    description:
      'Resturlaub am 31. Dezember des Jahres vor dem letzten Tag des Zeitraums. Was mit diesem Tag verfällt, gehört dazu und gilt im neuen Jahr als verfallen.',
    needs: ['vacationBefore'],
    figure: ({ vacationBefore }) => vacationBefore.remaining,
  },
  {
    name: 'year-entitlement',
    title: 'Urlaubsanspruch des Jahres',
    description: 'Urlaubstage, die im Jahr des letzten Tages des Zeitraums bis zu diesem Tag gewährt wurden.',
    ...inYear(({ granted }) => granted),
  },
  {
    name: 'year-taken',
    title: 'Urlaub genommen im Jahr',
    description: 'Urlaubstage im Jahr des letzten Tages des Zeitraums bis zu diesem Tag, soweit ein Anspruch sie deckt.',
    ...inYear(({ taken }) => taken),
  },
  {
    name: 'year-expired',
    title: 'Urlaub verfallen im Jahr',
    description: 'Urlaubstage, die im Jahr des letzten Tages des Zeitraums bis zu diesem Tag verfallen sind.',
    ...inYear(expired),
  },
  {
    name: 'remaining',
    title: 'Resturlaub',
    description:
      'Gewährte Urlaubstage, die am Ende des Zeitraums weder genommen noch verfallen sind: Übertrag und Anspruch des Jahres ohne das, was darin genommen wurde und verfallen ist.',
    ...atEnd(({ remaining }) => remaining),
  },
  {
    name: 'expiring',
    title: 'Resturlaub mit Verfallsdatum',
    description: 'Der Teil des Resturlaubs, der verfällt, wenn er nicht rechtzeitig genommen wird.',
    ...atEnd(({ expiring }) => expiring),
  },
  {
    name: 'granted',
    title: 'Urlaub gewährt seit Eintritt',
    description: 'Alle Urlaubstage, die vom Eintritt bis zum Ende des Zeitraums gewährt wurden: genommene, verfallene und verbleibende.',
    ...atEnd(({ granted }) => granted),
  },
  {
    name: 'taken',
    title: 'Urlaub genommen seit Eintritt',
    description: 'Urlaubstage vom Eintritt bis zum Ende des Zeitraums, soweit ein Anspruch sie deckt.',
    ...atEnd(({ taken }) => taken),
  },
];

/** The results of the absence rules at the end of the period, for all types of category vacation. */
export const vacationTypes: readonly RowType[] = figures.map(({ name, title, description, needs, figure }) => {
  const id = `vacation-${name}:days`;
  return {
    id,
    label: title,
    unit: 'days',
    title: `${title} (Tage)`,
    description,
    // Includes rows of 0, because in most months nothing expires, for example.
    example: `types=${id}&skip_zero_rows=false`,
    needs,
    write(sheet, row, emit) {
      setHundredthDays(row, figure(sheet));
      emit(row);
    },
  };
});
