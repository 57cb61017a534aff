import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { employeesInOrder } from '../../platform/employees.js';
import { exportUrl } from '../../platform/export-url.js';
import { yearFirm } from '../../platform/firms.js';
import { benchPlatform } from '../../platform/platform.js';
import { downloadVariant, drainVariant, preparedOn } from '../../platform/prepared.js';
import { monthsBetween, monthsFilter } from '../../platform/stored-months.js';

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const { mongodbUrl, baseUrl } = platform;
  const { institutionId: institution_id, token } = await platform.firm(yearFirm(size));
  const employeeIds = (await employeesInOrder(mongodbUrl, institution_id)).map(({ id }) => id);
  const months = monthsBetween('2025-09', '2025-11');
  const owned = ['departments', 'employees', 'contracts', 'absences'].map((collection) => ({ collection, filter: { institution_id } }));
  const drains = [...owned, monthsFilter({ mongodbUrl, institutionId: institution_id, employeeIds, months })];
  const url = exportUrl(baseUrl, 'payroll_a', { daterange: '2025-10-01|2025-10-31', response_only: 'true' });
  return preparedOn({
    platform,
    quick,
    services: ['records', 'exports', 'gateway'],
    values: { token, mongodbUrl, drains, url },
    runs: {},
    notes: ['a month, of which the adjacent months are read too'],
  });
}

export const payrollA: Case = {
  name: 'payroll-a',
  goals: ['payroll'],
  title: 'payroll_a of a month over HTTP, compared with reading the documents that it needs',
  sizes: { quick: 3, full: 1000 },
  variants: { drain: drainVariant, ours: downloadVariant },
  ratios: [{ goal: 'payroll', measure: 'wallMs', of: 'ours', to: 'drain', target: 1.2 }],
  prepare,
};
