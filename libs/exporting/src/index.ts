export type { Department, ExportDirectory, ExportInstitution, Project, StaffMember, StaffRecords } from './directory.js';
export { exporterNames, isAvailable, isExporterName, type ExporterName } from './exporters.js';
export { contentType, fileName, type DayRange, type ExportRequest, type RequestEcho } from './request/export-request.js';
export { neededParts, type NeededParts } from './needed-parts.js';
export { parseExportRequest } from './request/parse-request.js';
export { selectStaff, type SelectedStaff, type SkippedStaff, type SkipReason } from './select-staff.js';
export { writeExport, type ExportJob, type ExportStats } from './write-export.js';
