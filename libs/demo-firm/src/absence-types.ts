import type { AbsenceType, EpochDay } from '@stechuhr/worktime';

/** The absence types of the company. Time off in lieu is not credited: it reduces the overtime account. */
export const absenceTypes = [
  { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
  { value: 'sick', label: 'Krankheit', category: 'sick', credited: true },
  { value: 'child-sick', label: 'Kind krank', category: 'other', credited: true },
  { value: 'vocational-school', label: 'Berufsschule', category: 'education', credited: true },
  { value: 'training', label: 'Fortbildung', category: 'education', credited: true },
  { value: 'special-leave', label: 'Sonderurlaub', category: 'other', credited: true },
  { value: 'time-off', label: 'Freizeitausgleich', category: 'other', credited: false },
] as const satisfies readonly AbsenceType[];

export type MissingType = (typeof absenceTypes)[number]['value'];

/** An absence without its id. */
export interface AbsenceDraft {
  readonly missingType: MissingType;
  readonly startsOn: EpochDay;
  readonly endsOn: EpochDay;
  readonly dayPart?: 0.5;
  readonly hoursPerDay?: number;
  readonly knownOn: EpochDay;
  readonly requestedOn?: EpochDay;
}
