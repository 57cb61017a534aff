import type { OperationDocs } from '../operation-doc.js';
import { aboutDocs } from './about.js';
import { absenceRuleDocs } from './absence-rules.js';
import { dailyReportDocs } from './daily-reports.js';
import { exportDocs } from './exports.js';
import { recordDocs } from './records.js';
import { reviewDocs } from './reviews.js';
import { taskDocs } from './tasks.js';

/** Every operation of the API. */
export const operationDocs: OperationDocs = {
  ...exportDocs,
  ...taskDocs,
  ...absenceRuleDocs,
  ...reviewDocs,
  ...dailyReportDocs,
  ...recordDocs,
  ...aboutDocs,
};
