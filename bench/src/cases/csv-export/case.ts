import type { Case, PrepareOptions, Prepared, Ratio } from '../../harness/types.js';
import { exportUrl } from '../../platform/export-url.js';
import { downloadVariant, drainVariant, preparedOn } from '../../platform/prepared.js';
import { monthsFilter } from '../../platform/stored-months.js';
import { prepareYear } from '../../platform/year-case.js';
import { COLUMNS, YEAR, dailyExport } from '../../platform/year-export.js';
import { peer } from '../peer.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });
const SERVICES = ['records', 'exports', 'gateway'];

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const { platform, token, own } = await prepareYear(size, quick);
  const { mongodbUrl, baseUrl } = platform;
  return preparedOn({
    platform,
    quick,
    services: SERVICES,
    values: { token, mongodbUrl },
    runs: {
      'drain-raw': own,
      drain: { drains: [monthsFilter(own.stored)] },
      'drain-slices': own,
      ours: { url: exportUrl(baseUrl, 'generic', dailyExport('csv')) },
      'ours-twice': { url: twice(baseUrl) },
      'csv-stringify': own,
      'one-process': own,
      naive: own,
    },
    fresh: ['ours', 'ours-twice'],
    notes: [`${size * 365} rows`],
  });
}

/** Returns the URL of an export with twice the rows: it has two equal parts, each of which reads the data separately. */
function twice(baseUrl: string): string {
  const daterange = [YEAR.from, YEAR.to];
  const part = { daterange, types: ['daily:hours'], columns: COLUMNS, skip_zero_rows: false };
  return exportUrl(baseUrl, 'multi', { config: JSON.stringify([part, part]), daterange: daterange.join('|'), response_only: 'true' });
}

export const csvExport: Case = {
  name: 'csv-export',
  goals: ['G1', 'G3', 'G4', 'P1'],
  title: 'a year of calendar days as csv over HTTP, compared with reading the same documents',
  sizes: { quick: 3, full: 1000 },
  variants: {
    'drain-raw': variant('drain-raw'),
    drain: drainVariant,
    'drain-slices': variant('drain-slices'),
    ours: downloadVariant,
    'ours-twice': downloadVariant,
    'csv-stringify': variant('csv-stringify'),
    'one-process': variant('one-process'),
    naive: peer('csv-export/naive'),
  },
  equal: [['ours', 'csv-stringify', 'one-process', 'naive']],
  ratios: [
    { goal: 'G1', measure: 'wallMs', of: 'ours', to: 'drain', target: 1.5, stretch: 0.85 },
    { goal: 'G3', measure: 'wallMs', of: 'naive', to: 'ours', target: 2, stretch: 3.5, atLeast: true },
    { goal: 'P1', measure: 'servicesCpuMs', of: 'ours', to: 'one-process', target: 1.6, stretch: 1.3 },
    { goal: 'G4', measure: 'recordsRssMb', of: 'ours', to: 250, target: 1, stretch: 0.72, note: 'MiB' },
    { goal: 'G4', measure: 'exportsRssMb', of: 'ours', to: 250, target: 1, stretch: 0.72, note: 'MiB' },
    { goal: 'G4', measure: 'gatewayRssMb', of: 'ours', to: 150, target: 1, stretch: 0.73, note: 'MiB' },
    ...SERVICES.map((service): Ratio => {
      const note = 'growth with twice the rows';
      return { goal: 'G4', measure: `${service}RssMb`, of: 'ours-twice', to: 'ours', target: 1.15, stretch: 1.05, note };
    }),
  ],
  prepare,
};
