import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { exportUrl } from '../../platform/export-url.js';
import { downloadVariant, drainVariant, preparedOn } from '../../platform/prepared.js';
import { monthsFilter } from '../../platform/stored-months.js';
import { prepareYear } from '../../platform/year-case.js';
import { dailyExport } from '../../platform/year-export.js';

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const { platform, token, own } = await prepareYear(size, quick);
  return preparedOn({
    platform,
    quick,
    services: ['records', 'exports', 'gateway'],
    values: { token, mongodbUrl: platform.mongodbUrl },
    runs: {
      drain: { drains: [monthsFilter(own.stored)] },
      ours: { url: exportUrl(platform.baseUrl, 'generic', dailyExport('json')) },
      stringify: own,
    },
    fresh: ['ours'],
    notes: [`${size * 365} rows`],
  });
}

export const jsonExport: Case = {
  name: 'json-export',
  goals: ['G5'],
  title: 'the same year as json over HTTP, compared with a single process that serialises row by row',
  sizes: { quick: 3, full: 1000 },
  variants: { drain: drainVariant, ours: downloadVariant, stringify: { module: new URL('./variants/stringify.js', import.meta.url) } },
  equal: [['ours', 'stringify']],
  ratios: [
    { goal: 'G5', measure: 'wallMs', of: 'ours', to: 'stringify', target: 1.2, stretch: 1.05 },
    { goal: 'G5', measure: 'longestBusyMs', of: 'ours', to: 50, target: 1, note: 'maximum of any process in ms' },
  ],
  prepare,
};
