/** Groups of records that are only read, as operations name one of them: `listEmployees`, `getEmployee`. */
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
