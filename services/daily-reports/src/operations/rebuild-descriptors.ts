import { settleReports, type SettlePorts } from './settle-reports.js';
import type { Tenant } from './tenant.js';

/** Describes every report of the institution from its entries. @returns how many so far, after each slice */
export async function* rebuildDescriptors(ports: SettlePorts, tenant: Tenant): AsyncGenerator<number, void, undefined> {
  let rebuilt = 0;
  for await (const reports of ports.reports.all(tenant)) {
    await settleReports(ports, tenant, reports, { insist: true });
    rebuilt += reports.length;
    yield rebuilt;
  }
}
