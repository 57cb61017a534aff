import type { Check } from '../check.js';
import { delayedEmployeeEdit } from './delayed-employee-edit.js';
import { excessiveDailyHours } from './excessive-daily-hours.js';
import { excessiveSessionFragmentation } from './excessive-session-fragmentation.js';
import { excessiveWeeklyHours } from './excessive-weekly-hours.js';
import { futureWorkday } from './future-workday.js';
import { incompleteWorkday } from './incomplete-workday.js';
import { insufficientBreak } from './insufficient-break.js';
import { insufficientRestPeriod } from './insufficient-rest-period.js';
import { overlappingWorkdays } from './overlapping-workdays.js';
import { overtimeAccountOutOfRange } from './overtime-account-out-of-range.js';
import { pendingAbsenceApplication } from './pending-absence-application.js';
import { unbalancedWorktime } from './unbalanced-worktime.js';
import { unfiledAbsence } from './unfiled-absence.js';
import { zeroDurationTimespan } from './zero-duration-timespan.js';

/** All checks, in the order in which they are listed. */
export const checks: readonly Check[] = [
  incompleteWorkday,
  unfiledAbsence,
  pendingAbsenceApplication,
  overlappingWorkdays,
  unbalancedWorktime,
  futureWorkday,
  insufficientBreak,
  excessiveDailyHours,
  insufficientRestPeriod,
  excessiveWeeklyHours,
  zeroDurationTimespan,
  excessiveSessionFragmentation,
  overtimeAccountOutOfRange,
  delayedEmployeeEdit,
];
