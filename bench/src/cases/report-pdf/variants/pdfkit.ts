import type { Run } from '../../../harness/types.js';
import { naiveReport } from '../naive-pdfkit.js';
import { timedReports } from '../timed-reports.js';

export const run: Run = (input) => timedReports(input, ({ photos, signatures }) => naiveReport(photos, signatures));
