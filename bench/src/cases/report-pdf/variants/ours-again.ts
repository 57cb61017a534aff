import { createReportRenderer } from '@stechuhr/report-pdf';
import type { Run } from '../../../harness/types.js';
import { renderOurs } from '../our-report.js';
import { timedReports } from '../timed-reports.js';

/** One renderer, as in a service, and the same report again and again: signatures are flattened once. */
export const run: Run = (input) => {
  const renderer = createReportRenderer();
  return timedReports(input, (pictures) => renderOurs(renderer, pictures));
};
