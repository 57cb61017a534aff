import { DateTime } from 'luxon';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { formatAll } from '@stechuhr/bench/cases/local-time/instants.js';

const zone = { zone: 'Europe/Berlin' };
const shape = { includeOffset: false, suppressMilliseconds: true };

export const run: Run = async (input) => formatAll(input, (instant) => DateTime.fromSeconds(instant, zone).toISO(shape) ?? '');
