import { randomUUID } from 'node:crypto';
import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { exportUrl } from '../../platform/export-url.js';
import { monthFirm } from '../../platform/firms.js';
import { preparedOn } from '../../platform/prepared.js';
import { prepareYear } from '../../platform/year-case.js';
import { COLUMNS, dailyExport } from '../../platform/year-export.js';
import { storedSizes } from './stored-sizes.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });
const SERVICES = ['records', 'exports', 'absence-rules', 'tasks', 'worker', 'reviews', 'gateway', 'daily-reports', 'webhooks'];
const ROWS_A_PAGE = 100;

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const { platform, token, own } = await prepareYear(size, quick);
  const employees = quick ? 10 : 200;
  const month = await platform.firm(monthFirm(employees));
  const { baseUrl, surroundings } = platform;
  const times = quick ? 5 : 300;
  const rows = size * 365;
  const freshUrl = (): string => {
    const columns = `${COLUMNS.slice(0, -1).join('|')}|value:as>v${randomUUID()}`;
    return `${exportUrl(baseUrl, 'generic', { ...dailyExport('csv'), columns })}&is_async=true`;
  };
  const common = preparedOn({
    platform,
    quick,
    services: SERVICES,
    values: { token, natsUrl: surroundings.servers.NATS_URL, sizes: await storedSizes(platform, own.stored) },
    runs: {
      get: { url: `${baseUrl}/employees/employees/?limit=1`, times, unitsEach: 1 },
      list: { url: `${baseUrl}/employees/employees/?limit=${ROWS_A_PAGE}`, times: times / 5, unitsEach: 1 },
      export: { url: exportUrl(baseUrl, 'generic', dailyExport('csv')), times: 1, unitsEach: rows },
      background: { unitsEach: rows },
      review: { url: `${baseUrl}/reviews/reviews/?year=2025&month=10`, token: month.token, times: quick ? 1 : 5, unitsEach: employees },
      change: { employees, changes: quick ? 20 : 2_000 },
    },
    notes: [`${rows} rows, ${employees} employees`],
  });
  return {
    ...common,
    before: async (name) => ({ ...(await common.before?.(name)), ...(name === 'background' ? { url: freshUrl() } : {}) }),
  };
}

/**
 * Measures the input of `npm run capacity`, which is the CPU time of each service per unit of work and the size of stored data, and the
 * memory of idle services.
 */
export const unitCosts: Case = {
  name: 'unit-costs',
  goals: ['G4'],
  title: 'CPU time of each service per request, row, reviewed employee and change; memory; size of stored data',
  sizes: { quick: 3, full: 1000 },
  variants: {
    idle: variant('idle'),
    get: variant('requests'),
    list: variant('requests'),
    export: variant('requests'),
    background: variant('background'),
    review: variant('requests'),
    change: variant('changes'),
    stored: variant('stored'),
  },
  ratios: [{ goal: 'G4', measure: 'servicesPssMb', of: 'idle', to: 900, target: 1, stretch: 0.78, note: 'MiB, all services' }],
  prepare,
};
