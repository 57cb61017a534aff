export { toAbsenceType } from './absence-types.js';
export { importLines } from './import-lines.js';
export { toAbsence, toContract, toWorkday } from './time-records.js';
