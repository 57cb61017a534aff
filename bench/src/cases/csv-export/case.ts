import type { Case, PrepareOptions, Prepared, Ratio } from '../../harness/types.js';
import { employeesInOrder } from '../../platform/employees.js';
import { yearFirm } from '../../platform/firms.js';
import { benchPlatform } from '../../platform/platform.js';
import { exportUrl } from '../../platform/export-url.js';
import { toValues } from '../../platform/measured-download.js';
import { monthsBetween } from '../../platform/stored-months.js';
import { COLUMNS, type CsvExportValues } from './values.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });
const SERVICES = ['records', 'exports', 'gateway'];
const YEAR = { from: '2025-01-01', to: '2025-12-31' };

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const { institutionId, token } = await platform.firm(yearFirm(size));
  const employees = await employeesInOrder(platform.mongodbUrl, institutionId);
  const stored = { mongodbUrl: platform.mongodbUrl, institutionId, employeeIds: employees.map(({ id }) => id) };
  const own: CsvExportValues = { ...YEAR, employees, stored: { ...stored, months: monthsBetween('2024-12', '2026-01') } };
  const daily = { types: 'daily:hours', columns: COLUMNS.join('|'), skip_zero_rows: 'false', response_only: 'true' };
  const url = exportUrl(platform.baseUrl, 'generic', { daterange: `${YEAR.from}|${YEAR.to}`, ...daily });
  const years = [
    ['2024-01-01', '2024-12-31'],
    ['2025-01-01', '2025-12-31'],
  ];
  const config = JSON.stringify(years.map((daterange) => ({ daterange, types: ['daily:hours'], columns: COLUMNS, skip_zero_rows: false })));
  const twoYearsUrl = exportUrl(platform.baseUrl, 'multi', { config, daterange: `${YEAR.from}|${YEAR.to}`, response_only: 'true' });
  return {
    values: { ...toValues(own), url, twoYearsUrl, token },
    notes: [`${size * 365} rows`, platform.note],
    // A fresh process each, like every other variant has.
    before: async (name) => {
      if (!quick && name.startsWith('ours')) await platform.restart(SERVICES);
      return toValues({ processes: platform.processes(SERVICES) });
    },
    close: async () => {},
  };
}

export const csvExport: Case = {
  name: 'csv-export',
  goals: ['G1', 'G3', 'G4'],
  title: 'a year of calendar days as csv over HTTP, beside reading the same documents',
  sizes: { quick: 10, full: 1000 },
  variants: {
    'drain-raw': variant('drain-raw'),
    drain: variant('drain'),
    'drain-slices': variant('drain-slices'),
    ours: variant('ours'),
    'ours-two-years': variant('ours-two-years'),
    naive: variant('naive'),
  },
  equal: [['ours', 'naive']],
  ratios: [
    { goal: 'G1', measure: 'wallMs', of: 'ours', to: 'drain', target: 1.5, stretch: 0.85 },
    { goal: 'G3', measure: 'wallMs', of: 'naive', to: 'ours', target: 2, stretch: 3.5, atLeast: true },
    { goal: 'G4', measure: 'recordsRssMb', of: 'ours', to: 250, target: 1, stretch: 0.72, note: 'MiB' },
    { goal: 'G4', measure: 'exportsRssMb', of: 'ours', to: 250, target: 1, stretch: 0.72, note: 'MiB' },
    { goal: 'G4', measure: 'gatewayRssMb', of: 'ours', to: 150, target: 1, stretch: 0.73, note: 'MiB' },
    ...SERVICES.map((service): Ratio => {
      const note = 'growth from one year to two';
      return { goal: 'G4', measure: `${service}RssMb`, of: 'ours-two-years', to: 'ours', target: 1.15, stretch: 1.05, note };
    }),
  ],
  prepare,
};
