import { formatLocalDateTime } from '@stechuhr/worktime';
import { defineCheck, type Found } from '../check.js';
import { germanDate, germanHours } from '../german.js';
import { numberOption, secondsOfHours } from '../options.js';
import { isClosed, type ClosedWorkday } from '../subject.js';

export const delayedEmployeeEdit = defineCheck({
  code: 'delayed-employee-edit',
  group: 'anomalies',
  title: 'Späte Änderung durch Beschäftigte',
  description:
    'Beschäftigte haben einen eigenen Arbeitstag noch lange nach seinem Ende geändert. Die Arbeitszeit ist spätestens am siebten Tag nach der ' +
    'Arbeitsleistung aufzuzeichnen (§ 17 Abs. 1 MiLoG); spätere Änderungen sollten belegt sein. Änderungen durch Vorgesetzte zählen nicht.',
  options: { hours: numberOption(168) },
  find: ({ monthWorkdays }, { hours }) => monthWorkdays.filter(isClosed).flatMap((workday) => delayOf(workday, secondsOfHours(hours))),
});

function delayOf({ id, date, endedAt, edits }: ClosedWorkday, allowed: number): readonly Found[] {
  let editedAt = -Infinity;
  for (const { at, by } of edits) if (by === 'employee' && at > editedAt) editedAt = at;
  const delay = editedAt - endedAt;
  if (!(delay > allowed)) return [];
  return [
    {
      date,
      references: [['workday', id]],
      context: { edited_at: formatLocalDateTime(editedAt), delay_seconds: delay },
      details: `Der Arbeitstag vom ${germanDate(date)} wurde ${germanHours(delay, allowed)} nach seinem Ende geändert, vorgesehen sind höchstens ${germanHours(allowed)}.`,
    },
  ];
}
