import { createReportRenderer } from '@stechuhr/report-pdf';
import type { Run } from '../../../harness/types.js';
import { renderOurs } from '../our-report.js';
import { timedReports } from '../timed-reports.js';

/** A renderer for each report: nothing is remembered from one to the next. */
export const run: Run = (input) => timedReports(input, (pictures) => renderOurs(createReportRenderer(), pictures));
