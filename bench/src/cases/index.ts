import type { Case } from '../harness/types.js';
import { csvFormatter } from './csv-formatter/case.js';
import { jsonFormatter } from './json-formatter/case.js';
import { xlsxWriter } from './xlsx-writer/case.js';
import { events } from './events/case.js';
import { grpcRows } from './grpc-rows/case.js';
import { reviewChecks } from './review-checks/case.js';
import { upload } from './upload/case.js';
import { absenceRules } from './absence-rules/case.js';
import { asyncExport } from './async-export/case.js';
import { gateway } from './gateway/case.js';
import { importCase } from './import/case.js';
import { jsonExport } from './json-export/case.js';
import { manyFirms } from './many-firms/case.js';
import { neighbours } from './neighbours/case.js';
import { payrollA } from './payroll-a/case.js';
import { reviews } from './reviews/case.js';
import { slowReader } from './slow-reader/case.js';
import { xlsxExport } from './xlsx-export/case.js';
import { csvExport } from './csv-export/case.js';
import { reportPdf } from './report-pdf/case.js';
import { reportPdfConcurrency } from './report-pdf-concurrency/case.js';
import { unitCosts } from './unit-costs/case.js';
import { reportList } from './report-list/case.js';
import { replicas } from './replicas/case.js';
import { smallWrites } from './small-writes/case.js';
import { liveObjects } from './live-objects/case.js';
import { streams } from './streams/case.js';
import { localTime } from './local-time/case.js';

/** All cases, in the order in which they run. */
export const cases: readonly Case[] = [
  localTime,
  csvFormatter,
  jsonFormatter,
  xlsxWriter,
  reviewChecks,
  grpcRows,
  events,
  streams,
  liveObjects,
  upload,
  replicas,
  reportPdf,
  reportPdfConcurrency,
  // The cases below need the whole platform.
  importCase,
  csvExport,
  jsonExport,
  xlsxExport,
  slowReader,
  neighbours,
  manyFirms,
  asyncExport,
  gateway,
  smallWrites,
  payrollA,
  reviews,
  absenceRules,
  reportList,
  unitCosts,
];
