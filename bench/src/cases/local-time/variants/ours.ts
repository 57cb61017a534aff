import { formatLocalDateTime } from '@stechuhr/worktime';
import type { Run } from '../../../harness/types.js';
import { formatAll } from '../instants.js';

export const run: Run = async (input) => formatAll(input, formatLocalDateTime);
