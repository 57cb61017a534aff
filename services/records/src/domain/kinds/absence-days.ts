import type { Reference } from '@stechuhr/ingest/kinds';
import type { EpochDay } from '@stechuhr/worktime';

interface AbsenceDays {
  readonly employee_id: string;
  readonly missing_type: string;
  readonly starts_on: EpochDay;
  readonly ends_on: EpochDay;
}

export function endsBeforeStart({ starts_on, ends_on }: AbsenceDays): string[] {
  return ends_on < starts_on ? ['starts_on lies after ends_on.'] : [];
}

export function absenceReferences({ employee_id, missing_type }: AbsenceDays): Reference[] {
  return [
    { field: 'employee_id', kind: 'employee', id: employee_id },
    { field: 'missing_type', kind: 'absence_type', id: missing_type },
  ];
}
