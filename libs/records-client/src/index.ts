export { readInstitution, type Institution } from './institution.js';
export { importLines } from './import-lines.js';
export { recordReferences, type RecordReference, type RecordReferences } from './references.js';
export { toAbsence, toContract, toWorkday } from './time-records.js';
