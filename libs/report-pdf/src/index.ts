export { reportFileName, type FileNameParts } from './file-name.js';
export type { ImageLimits } from './images/image-loader.js';
export { createReportRenderer, type BundleInfo, type ReportRenderer } from './render-report.js';
export type {
  ActivityEntry,
  PhotoEntry,
  PhotoSource,
  Report,
  ReportField,
  ReportProject,
  ReportStatus,
  SignatureEntry,
  SubcontractorEntry,
  TextEntry,
  WeatherEntry,
  WeatherIcon,
  WorkingTimeEntry,
} from './report.js';
