import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { exportUrl } from '../../platform/export-url.js';
import { yearFirm } from '../../platform/firms.js';
import { benchPlatform } from '../../platform/platform.js';
import { preparedOn, smallGetsVariant } from '../../platform/prepared.js';
import { dailyExport } from '../../platform/year-export.js';

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const { token } = await platform.firm(yearFirm(size));
  const url = exportUrl(platform.baseUrl, 'generic', dailyExport('csv'));
  return preparedOn({
    platform,
    quick,
    services: ['records', 'exports', 'gateway'],
    values: { token, url, smallUrl: `${platform.baseUrl}/exports/` },
    runs: { idle: { busy: false }, 'beside-csv': { busy: true } },
    notes: [`${size * 365} rows`],
  });
}

export const neighbours: Case = {
  name: 'neighbours',
  goals: ['G23'],
  title: 'a small GET to a service that writes a year of csv at the same time',
  sizes: { quick: 3, full: 1000 },
  variants: { idle: smallGetsVariant, 'beside-csv': smallGetsVariant },
  ratios: [
    { goal: 'G23', measure: 'p50Ms', of: 'beside-csv', to: 'idle', target: 2.5, stretch: 1.8 },
    { goal: 'G23', measure: 'p99Ms', of: 'beside-csv', to: 'idle', target: 5, stretch: 3 },
  ],
  prepare,
};
