import { calendarDate, isoWeek, weekday, type DateRange, type EpochDay } from '@stechuhr/worktime';
import { roundedHours } from '@stechuhr/worktime';
import type { Row, RowDetail } from '../row.js';
import type { CellSource, Column } from './column.js';

const WEEKDAYS = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'];

function column(id: string, title: string, description: string, source: CellSource): Column {
  return { id, title, description, scope: 'row', source };
}

/** Marks columns that are filled only in rows with a detail. */
function withDetail(detail: RowDetail, columns: readonly Column[]): readonly Column[] {
  return columns.map((column) => ({ ...column, detail }));
}

function text(read: (row: Row) => string | null): CellSource {
  return { kind: 'text', read };
}

/** A whole number that is derived from the date of the row. */
function ofDay(read: (day: EpochDay) => number): CellSource {
  const value = ({ day }: Row): number | null => (day === null ? null : read(day));
  return { kind: 'number', read: value, per: () => 1, rounded: (row) => value(row) ?? 0, isName: true };
}

const value: CellSource = { kind: 'number', read: (row) => row.amount, per: (row) => row.per, rounded: (row) => row.rounded };

const pause: CellSource = {
  kind: 'number',
  read: (row) => row.breakSeconds,
  per: () => 3600,
  rounded: (row) => roundedHours(row.breakSeconds ?? 0),
};

/** Columns about the row itself. */
export const rowColumns: readonly Column[] = [
  {
    ...column(
      'type',
      'Zeilentyp',
      'Name des Zeilentyps.',
      text(({ block }) => block.type.id),
    ),
    scope: 'block',
  },
  {
    ...column(
      'type-label',
      'Bezeichnung',
      'Deutsche Bezeichnung des Zeilentyps.',
      text(({ block }) => block.type.label),
    ),
    scope: 'block',
  },
  {
    ...column(
      'unit',
      'Einheit',
      'hours (Stunden) oder days (Tage).',
      text(({ block }) => block.type.unit),
    ),
    scope: 'block',
  },
  column('value', 'Wert', 'Stunden oder Tage, auf zwei Stellen gerundet, wenn kein Modifikator anders rundet.', value),
  ...withDetail('day', [
    column('date', 'Datum', 'Datum der Zeile.', { kind: 'day', read: (row) => row.day }),
    column(
      'weekday',
      'Wochentag',
      'Montag bis Sonntag.',
      text(({ day }) => (day === null ? null : (WEEKDAYS[weekday(day)] ?? null))),
    ),
    column(
      'week',
      'Kalenderwoche',
      'Woche nach ISO 8601.',
      ofDay((day) => isoWeek(day).week),
    ),
    column(
      'month',
      'Monat',
      'Monat des Datums.',
      ofDay((day) => calendarDate(day).month),
    ),
    column(
      'year',
      'Jahr',
      'Jahr des Datums.',
      ofDay((day) => calendarDate(day).year),
    ),
  ]),
  ...withDetail('shift', [
    column('start', 'Beginn', 'Erfasster Beginn.', { kind: 'moment', read: (row) => row.startedAt, form: 'date-time' }),
    column('end', 'Ende', 'Erfasstes Ende.', { kind: 'moment', read: (row) => row.endedAt, form: 'date-time' }),
    column('start-time', 'Beginn (Uhrzeit)', 'Uhrzeit des Beginns.', {
      kind: 'moment',
      read: (row) => row.startedAt,
      form: 'time',
    }),
    column('end-time', 'Ende (Uhrzeit)', 'Uhrzeit des Endes.', { kind: 'moment', read: (row) => row.endedAt, form: 'time' }),
    column('break', 'Pause', 'Pausen in Stunden.', pause),
  ]),
  ...withDetail('project', [
    column(
      'project-id',
      'Projekt-ID',
      'ID des Projekts.',
      text(({ projectId }) => projectId),
    ),
    column(
      'project-code',
      'Projektnummer',
      'Code des Projekts.',
      text(({ project }) => project?.code ?? null),
    ),
    column(
      'project-name',
      'Projekt',
      'Name des Projekts.',
      text(({ project }) => project?.name ?? null),
    ),
    column(
      'project-client',
      'Auftraggeber',
      'Auftraggeber des Projekts.',
      text(({ project }) => project?.client ?? null),
    ),
    column(
      'project-cost-center',
      'Projekt-Kostenstelle',
      'Kostenstelle des Projekts.',
      text(({ project }) => project?.costCenter ?? null),
    ),
  ]),
  ...withDetail('comment', [
    column(
      'comment',
      'Kommentar',
      'Kommentar der Zeitspanne.',
      text(({ comment }) => comment),
    ),
  ]),
  ...withDetail('absence', [
    column(
      'absence-type',
      'Abwesenheitsart',
      'Kürzel der Abwesenheitsart.',
      text(({ absence }) => absence?.value ?? null),
    ),
    column(
      'absence-label',
      'Abwesenheit',
      'Bezeichnung der Abwesenheitsart.',
      text(({ absence }) => absence?.label ?? null),
    ),
  ]),
];

/** First and last day of the export's period. */
export function periodColumns(period: DateRange): readonly Column[] {
  const day = (id: string, title: string, read: () => EpochDay): Column => ({
    ...column(id, title, `${title} (Datum).`, { kind: 'day', read }),
    scope: 'block',
  });
  return [day('period-start', 'Beginn des Zeitraums', () => period.first), day('period-end', 'Ende des Zeitraums', () => period.last)];
}
