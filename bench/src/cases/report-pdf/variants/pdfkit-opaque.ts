import type { Run } from '../../../harness/types.js';
import { naiveReport } from '../naive-pdfkit.js';
import { timedReports } from '../timed-reports.js';

/** The floor: pdfkit with signatures that have already been flattened. */
export const run: Run = (input) => timedReports(input, ({ photos, opaque }) => naiveReport(photos, opaque));
