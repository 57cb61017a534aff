import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { employeesInOrder } from '../../platform/employees.js';
import { monthFirm, type BenchFirm } from '../../platform/firms.js';
import { benchPlatform, type BenchPlatform } from '../../platform/platform.js';
import { downloadVariant, drainVariant, preparedOn } from '../../platform/prepared.js';
import { monthsBetween, monthsFilter, type DrainValues } from '../../platform/stored-months.js';

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const [small, large] = [await firmValues(platform, monthFirm(size)), await firmValues(platform, monthFirm(size * 10))];
  const url = `${platform.baseUrl}/reviews/reviews/?year=2025&month=10`;
  const sizes = [size, size * 10].join(' and ');
  return preparedOn({
    platform,
    quick,
    services: ['records', 'reviews', 'gateway'],
    values: { mongodbUrl: platform.mongodbUrl, url },
    runs: { 'drain-small': small, 'drain-large': large, small, large },
    fresh: ['small', 'large'],
    warmUp: { url, token: small.token },
    notes: [`${sizes} employees, one month`],
  });
}

interface DrainedFirm {
  readonly token: string;
  readonly drains: DrainValues['drains'];
}

async function firmValues({ mongodbUrl, firm }: BenchPlatform, plan: BenchFirm): Promise<DrainedFirm> {
  const { institutionId: institution_id, token } = await firm(plan);
  const employeeIds = (await employeesInOrder(mongodbUrl, institution_id)).map(({ id }) => id);
  const months = monthsBetween('2025-09', '2025-11');
  const owned = ['employees', 'contracts', 'absences', 'absence_applications'];
  const filters = owned.map((collection) => ({ collection, filter: { institution_id } }));
  return { token, drains: [...filters, monthsFilter({ mongodbUrl, institutionId: institution_id, employeeIds, months })] };
}

export const reviews: Case = {
  name: 'reviews',
  goals: ['G13'],
  title: 'all checks of a month over HTTP, compared with reading the same documents; also with ten times the employees',
  sizes: { quick: 1, full: 1000 },
  variants: { 'drain-small': drainVariant, small: downloadVariant, 'drain-large': drainVariant, large: downloadVariant },
  ratios: [
    { goal: 'G13', measure: 'wallMs', of: 'small', to: 'drain-small', target: 1.4, stretch: 1.15 },
    { goal: 'G13', measure: 'wallMs', of: 'large', to: 'drain-large', target: 1.4, stretch: 1.15 },
    { goal: 'G13', measure: 'wallMs', of: 'large', to: 'small', target: 12, stretch: 10.5, note: 'ten times the employees' },
    { goal: 'G13', measure: 'reviewsRssMb', of: 'large', to: 'small', target: 1.25, note: 'ten times the employees' },
  ],
  prepare,
};
