import type { Kind, KindName } from '../kind.js';
import { absenceApplication } from './absence-application.js';
import { absence } from './absence.js';
import { account } from './account.js';
import { contract } from './contract.js';
import { department } from './department.js';
import { employee } from './employee.js';
import { institution } from './institution.js';
import { project } from './project.js';
import { workday } from './workday.js';
import { workmonth } from './workmonth.js';

export const kinds: Readonly<Record<KindName, Kind>> = {
  institution,
  department,
  project,
  account,
  employee,
  contract,
  workmonth,
  workday,
  absence,
  absence_application: absenceApplication,
};
