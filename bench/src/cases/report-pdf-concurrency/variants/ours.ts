import type { Run } from '../../../harness/types.js';
import { renderAtOnce, reportsAtOnce } from '../reports.js';

export const run: Run = (input) => renderAtOnce(input, reportsAtOnce(input));
