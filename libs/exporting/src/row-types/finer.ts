import { dayParts, workdaySeconds, workPieces, type EpochDay, type WorkPiece } from '@stechuhr/worktime';
import { byStart, type Timesheet } from '../timesheet.js';
import { setDays, setSeconds, type RowType } from './row-type.js';

const daily: RowType = {
  id: 'daily:hours',
  label: 'Arbeitszeit je Tag',
  unit: 'hours',
  title: 'Arbeitszeit je Tag (Stunden)',
  description: 'Eine Zeile je Person und Kalendertag: Arbeitszeit ohne Pausen, Schichten um Mitternacht geteilt.',
  example: 'types=daily:hours',
  details: ['day'],
  needs: ['workdays', 'timespans'],
  write(sheet, row, emit) {
    const { first, last } = sheet.context.period;
    const seconds = dailyNet(sheet);
    for (let day = first; day <= last; day += 1) {
      row.day = day;
      setSeconds(row, seconds[day - first] ?? 0);
      emit(row);
    }
  },
};

/** Returns the net seconds by local date, starting with the first day of the period. */
function dailyNet(sheet: Timesheet): Float64Array {
  const { period, window } = sheet.context;
  const seconds = new Float64Array(period.last - period.first + 1);
  for (const workday of sheet.workdays) {
    for (const part of dayParts(workday, window)) seconds[part.day - period.first] = (seconds[part.day - period.first] ?? 0) + part.net;
  }
  return seconds;
}

const workday: RowType = {
  id: 'workday:hours',
  label: 'Arbeitstag',
  unit: 'hours',
  title: 'Arbeitstag (Stunden)',
  description: 'Eine Zeile je Arbeitstag: Wert und Pause auf den Zeitraum beschränkt, Beginn und Ende wie erfasst.',
  example: 'types=workday:hours',
  details: ['day', 'shift'],
  needs: ['workdays', 'timespans'],
  write(sheet, row, emit) {
    for (const entry of sheet.workdays) {
      const { net, breaks } = workdaySeconds(entry, sheet.context.window);
      row.day = entry.date;
      row.startedAt = entry.startedAt;
      row.endedAt = entry.endedAt;
      row.breakSeconds = breaks;
      setSeconds(row, net);
      emit(row);
    }
  },
};

/** A recorded work timespan with its counted part, and the date of its workday. */
interface DatedPiece extends WorkPiece {
  readonly id: string;
  readonly startedAt: number;
  readonly day: EpochDay;
}

/** Returns the work timespans that overlap the period, sorted by start, then id. */
function timespansOf(sheet: Timesheet): readonly DatedPiece[] {
  const pieces: DatedPiece[] = [];
  for (const entry of sheet.workdays) {
    for (const piece of workPieces(entry, sheet.context.window)) {
      if (piece.timespan === null) continue;
      pieces.push({ ...piece, id: piece.timespan.id, startedAt: piece.timespan.startedAt, day: entry.date });
    }
  }
  return pieces.sort(byStart);
}

const timespan: RowType = {
  id: 'timespan:hours',
  label: 'Zeitspanne',
  unit: 'hours',
  title: 'Zeitspanne (Stunden)',
  description: 'Eine Zeile je erfasster Arbeitszeitspanne mit Projekt und Kommentar; Pausen darin sind abgezogen.',
  example: 'types=timespan:hours',
  details: ['day', 'shift', 'project', 'comment'],
  needs: ['workdays', 'timespans'],
  write(sheet, row, emit) {
    const { projects } = sheet.context.directory;
    for (const piece of timespansOf(sheet)) {
      row.day = piece.day;
      row.startedAt = piece.startedAt;
      row.endedAt = piece.timespan?.endedAt ?? null;
      row.breakSeconds = piece.breaks;
      row.projectId = piece.projectId;
      row.project = piece.projectId === null ? null : (projects.get(piece.projectId) ?? null);
      row.comment = piece.timespan?.comment ?? null;
      setSeconds(row, piece.net);
      emit(row);
    }
  },
};

const project: RowType = {
  id: 'project:hours',
  label: 'Projektzeit',
  unit: 'hours',
  title: 'Projektzeit (Stunden)',
  description: 'Eine Zeile je Person und Projekt; Arbeit ohne Projekt steht in einer Zeile mit leeren Projektspalten.',
  example: 'types=project:hours',
  details: ['project'],
  needs: ['workdays', 'timespans'],
  write(sheet, row, emit) {
    const { projects } = sheet.context.directory;
    const totals = [...sheet.secondsByProject].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1));
    for (const [projectId, seconds] of totals) {
      row.projectId = projectId;
      row.project = projectId === null ? null : (projects.get(projectId) ?? null);
      setSeconds(row, seconds);
      emit(row);
    }
  },
};

const absenceDay: RowType = {
  id: 'absence-day:days',
  label: 'Abwesenheitstag',
  unit: 'days',
  title: 'Abwesenheitstag (Tage)',
  description: 'Eine Zeile je Person, Tag und Abwesenheitsart: 1 oder 0,5 Tage.',
  example: 'types=absence-day:days',
  details: ['day', 'absence'],
  needs: ['contracts', 'absences'],
  write(sheet, row, emit) {
    const labels = new Map(sheet.context.directory.institution.absenceTypes.map(({ value, label }) => [value, label]));
    for (const { day, missingType, dayPart } of sheet.absenceDays) {
      row.day = day;
      row.absence = { value: missingType, label: labels.get(missingType) ?? missingType };
      setDays(row, dayPart);
      emit(row);
    }
  },
};

/** The row types with several rows per employee. */
export const finerTypes: readonly RowType[] = [daily, workday, timespan, project, absenceDay];
