import { createReportRenderer } from '@stechuhr/report-pdf';
import type { Run } from '../../../harness/types.js';
import { renderOurs } from '../our-report.js';
import { timedReports } from '../timed-reports.js';

/** Renders the same report repeatedly with one renderer, as in a service: signatures are flattened only once. */
export const run: Run = (input) => {
  const renderer = createReportRenderer();
  return timedReports(input, (pictures) => renderOurs(renderer, pictures));
};
