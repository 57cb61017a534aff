import type { OperationDocs } from '../operation-doc.js';
import { aboutDocs } from './about.js';
import { dailyReportDocs } from './daily-reports.js';
import { exportDocs } from './exports.js';
import { recordDocs } from './records.js';
import { ruleDocs } from './rules.js';

/** Every operation of the API. */
export const operationDocs: OperationDocs = { ...exportDocs, ...ruleDocs, ...dailyReportDocs, ...recordDocs, ...aboutDocs };
