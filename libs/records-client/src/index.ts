export { toAbsenceType } from './absence-types.js';
export { toAbsence, toContract, toWorkday } from './time-records.js';
