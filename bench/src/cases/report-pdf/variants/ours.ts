import { createReportRenderer } from '@stechuhr/report-pdf';
import type { Run } from '../../../harness/types.js';
import { renderOurs } from '../our-report.js';
import { timedReports } from '../timed-reports.js';

/** Uses a new renderer for each report, so that nothing is cached. */
export const run: Run = (input) => timedReports(input, (pictures) => renderOurs(createReportRenderer(), pictures));
