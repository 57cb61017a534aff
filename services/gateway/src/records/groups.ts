import { contracts, employees } from './employees.js';
import type { RecordGroup } from './group.js';
import { departments, institutions, managers, projects } from './organization.js';
import { absenceApplications, absences, timespans, workdays, workmonths } from './tracked-time.js';

/** The read-only groups, in the order of the reference. */
export const groups: readonly RecordGroup[] = [
  employees,
  departments,
  projects,
  contracts,
  workdays,
  workmonths,
  timespans,
  absences,
  absenceApplications,
  institutions,
  managers,
];
