import { MAX_ABSENCE_DAYS, type Reference } from '@stechuhr/ingest/kinds';
import { formatLocalDate, type EpochDay } from '@stechuhr/worktime';
import type { Announced } from '../kind.js';

interface AbsenceDays {
  readonly employee_id: string;
  readonly missing_type: string;
  readonly starts_on: EpochDay;
  readonly ends_on: EpochDay;
}

export function impossibleDays({ starts_on, ends_on }: AbsenceDays): string[] {
  if (ends_on < starts_on) return ['starts_on lies after ends_on.'];
  return ends_on - starts_on >= MAX_ABSENCE_DAYS ? [`An absence may not be longer than ${String(MAX_ABSENCE_DAYS)} days.`] : [];
}

export function announcedDays({ employee_id, starts_on, ends_on }: AbsenceDays): Announced {
  return { employee_id, starts_on: formatLocalDate(starts_on), ends_on: formatLocalDate(ends_on) };
}

export function absenceReferences({ employee_id, missing_type }: AbsenceDays): Reference[] {
  return [
    { field: 'employee_id', kind: 'employee', id: employee_id },
    { field: 'missing_type', kind: 'absence_type', id: missing_type },
  ];
}
