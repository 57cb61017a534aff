import type { Case } from '../harness/types.js';
import { csvExport } from './csv-export/case.js';
import { localTime } from './local-time/case.js';

/** Every case, in the order in which they run. */
export const cases: readonly Case[] = [
  localTime,
  // The whole platform.
  csvExport,
];
