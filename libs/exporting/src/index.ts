export type {
  Department,
  ExportDirectory,
  ExportInstitution,
  OpeningBalance,
  Project,
  StaffMember,
  StaffRecords,
  VacationBalance,
} from './directory.js';
export { refuseUnencodableRows } from './encodings/refuse-unencodable-rows.js';
export { exporterNames, isExporterName, type ExporterName } from './exporters.js';
export type { ChosenFormat, Format } from './formats/format.js';
export { formats } from './formats/registry.js';
export type { FilledBy } from './reference.js';
export { neededParts, type NeededParts } from './needed-parts.js';
export {
  referencePage,
  referencePageNames,
  type ReferenceGroup,
  type ReferenceItem,
  type ReferencePage,
  type ReferencePageName,
} from './reference/page.js';
export { canonicalParameters, isAsyncRequest, meaningfulParameters, parameterNames } from './request/canonical-parameters.js';
export { contentType, fileName, type ExportRequest, type RequestEcho } from './request/export-request.js';
export { namedCustomFields } from './request/named-custom-fields.js';
export { MAX_ELEMENTS } from './problems.js';
export { PAYROLL_B_CONFIG } from './payroll/payroll-b.js';
export { payrollWarnings, type ExportWarning, type WarningCode, type WarningInput } from './payroll/warnings.js';
export { parseExportRequest } from './request/parse-request.js';
export { selectStaff, type SelectedStaff, type SkippedStaff, type SkipReason, type StaffSelection } from './select-staff.js';
export { settleStaff, type SettleInput } from './settle-staff.js';
export { writeExport, type ExportJob, type ExportStats } from './write-export.js';
