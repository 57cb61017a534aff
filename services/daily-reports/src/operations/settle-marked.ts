import type { Ports } from './ports.js';
import { settleReports } from './settle-reports.js';
import type { Tenant } from './tenant.js';

/** Writers at work are few; what one list leaves, the next one takes. */
const REPORTS_A_LIST = 200;

/** Describes the reports whose writers are at work or did not come back, so that a list leaves none of them out. */
export async function settleMarked(ports: Pick<Ports, 'entries' | 'reports' | 'forms' | 'clock'>, tenant: Tenant): Promise<void> {
  const marked = await ports.reports.marked(tenant, REPORTS_A_LIST);
  if (marked.length > 0) await settleReports(ports, tenant, marked);
}
