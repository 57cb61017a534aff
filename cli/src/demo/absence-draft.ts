import type { EpochDay } from '@stechuhr/worktime';
import type { MissingType } from './absence-types.js';

/** An absence before it has an id. */
export interface AbsenceDraft {
  readonly missingType: MissingType;
  readonly startsOn: EpochDay;
  readonly endsOn: EpochDay;
  readonly dayPart?: 0.5;
  readonly hoursPerDay?: number;
  readonly knownOn: EpochDay;
  readonly requestedOn?: EpochDay;
}
