import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { monthFirm, yearFirm } from '../../platform/firms.js';
import { benchPlatform } from '../../platform/platform.js';
import { preparedOn } from '../../platform/prepared.js';

const pages = { module: new URL('./variants/pages.js', import.meta.url) };

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const { token } = await platform.firm(quick ? monthFirm(size) : yearFirm(size));
  // There are at least five rules per employee, so page 50 exists with any size.
  const limit = size / 10;
  const url = `${platform.baseUrl}/timestamps/absence-rules/?limit=${limit}&offset=`;
  return preparedOn({
    platform,
    quick,
    services: ['records', 'absence-rules', 'gateway'],
    values: { token },
    runs: { 'page-1': { url: `${url}0` }, 'page-50': { url: `${url}${49 * limit}` } },
    notes: [`rules of ${size} employees, a page of ${limit}`],
  });
}

export const absenceRules: Case = {
  name: 'absence-rules',
  goals: ['absence-rules'],
  title: 'the fiftieth page of all absence rules, compared with the first',
  sizes: { quick: 10, full: 1000 },
  variants: { 'page-1': pages, 'page-50': pages },
  ratios: [{ goal: 'absence-rules', measure: 'p50Ms', of: 'page-50', to: 'page-1', target: 3 }],
  prepare,
};
