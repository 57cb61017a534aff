import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { exportUrl } from '../../platform/export-url.js';
import { yearFirm } from '../../platform/firms.js';
import { benchPlatform } from '../../platform/platform.js';
import { downloadVariant, preparedOn, smallGetsVariant } from '../../platform/prepared.js';
import { dailyExport } from '../../platform/year-export.js';

/** All services that the export could burden, and others for comparison. */
const SERVICES = ['records', 'exports', 'absence-rules', 'reviews', 'tasks', 'worker', 'gateway'];

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const { token } = await platform.firm(yearFirm(size));
  const url = exportUrl(platform.baseUrl, 'generic', dailyExport('xlsx'));
  const smallUrl = `${platform.baseUrl}/exports/`;
  return preparedOn({
    platform,
    quick,
    services: SERVICES,
    values: { token, url, smallUrl },
    runs: { idle: { busy: false }, 'beside-xlsx': { busy: true } },
    fresh: ['xlsx'],
    notes: [`${size * 365} rows of 12 columns`],
  });
}

export const xlsxExport: Case = {
  name: 'xlsx-export',
  goals: ['G6'],
  title: 'the same year as xlsx over HTTP: memory and pauses of every process, and a small GET at the same time',
  sizes: { quick: 3, full: 1000 },
  variants: { xlsx: downloadVariant, idle: smallGetsVariant, 'beside-xlsx': smallGetsVariant },
  ratios: [
    { goal: 'xlsx', measure: 'largestRssMb', of: 'xlsx', to: 300, target: 1, note: 'maximum of any process in MiB' },
    { goal: 'xlsx', measure: 'longestBusyMs', of: 'xlsx', to: 50, target: 1, stretch: 0.4, note: 'maximum of any process in ms' },
    { goal: 'xlsx', measure: 'p50Ms', of: 'beside-xlsx', to: 'idle', target: 3 },
  ],
  prepare,
};
