export { generateDemo, type Demo, type DemoOptions } from './generate.js';
export { ndjsonOf } from './ndjson.js';
export type { AsOf } from './workdays.js';
export type { DemoRecord, ReportEntryRecord, ReportStatusRecord } from './records.js';
export type { ReportDay } from './reports/report-days.js';
export type { Photo, PhotoKeys } from './reports/photos.js';
export { createRandom, type Random } from './random.js';
