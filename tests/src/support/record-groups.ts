/** Read-only record groups, with the singular name in operation ids such as `listEmployees` and `getEmployee`. */
export const RECORD_GROUPS = [
  'Employee',
  'Department',
  'Project',
  'Contract',
  'Workday',
  'Workmonth',
  'Timespan',
  'Absence',
  'AbsenceApplication',
  'Institution',
  'Manager',
];
