import type { Run } from '../../../harness/types.js';
import { renderAtOnce } from '../reports.js';

export const run: Run = (input) => renderAtOnce(input, input.size);
