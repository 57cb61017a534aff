export { callerSources, type SourceClients } from './caller-sources.js';
export { namedSkipped } from './named-skipped.js';
export { prepareExport, type ExportInput, type PreparedExport } from './prepare-export.js';
export type { CallerBalances, CallerRecords, EmployeeVacation, ExportSources, VacationQuery } from './sources.js';
