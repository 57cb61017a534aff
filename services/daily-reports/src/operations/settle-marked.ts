import { MARK_SECONDS, settleReports, type SettlePorts } from './settle-reports.js';
import type { Tenant } from './tenant.js';

/** Writers at work are few; what one list leaves, the next one takes. */
const REPORTS_A_LIST = 200;

/** Describes the reports whose writers are at work or did not come back, so that a list leaves none of them out. */
export async function settleMarked(ports: SettlePorts, tenant: Tenant): Promise<void> {
  const marked = await ports.reports.marked(tenant, REPORTS_A_LIST);
  if (marked.length > 0) await settleReports(ports, tenant, marked);
}

/** Settles what writers of any institution left behind, so that it is told of although nobody lists it. */
export async function settleLeftBehind(ports: SettlePorts): Promise<void> {
  const expired = Math.floor(ports.clock.now() / 1000) - MARK_SECONDS;
  const left = await ports.reports.leftBehind(expired, REPORTS_A_LIST);
  for (const [institutionId, reports] of Map.groupBy(left, (report) => report.institutionId)) {
    await settleReports(ports, { institutionId }, reports);
  }
}
