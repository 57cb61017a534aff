import { browseV1, commonV1, type recordsV1 } from '@stechuhr/contracts';
import { readStream } from '@stechuhr/service';
import type { Employee, People } from '../operations/ports.js';
import type { Tenant } from '../operations/tenant.js';

const { RecordGroup } = browseV1;

/** As many as a page of the records service holds. */
const IDS_A_CALL = 1_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** A whole institution, as which no account in particular asks. */
export function wholeInstitution({ institutionId }: Tenant): commonV1.Caller {
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
  return { institutionId, accountId: NOBODY, visibility };
}

/** Whoever sees a report sees the names on it, whatever the account may see elsewhere: so the whole institution asks. */
export function people(client: browseV1.BrowseServiceClient, tenant: Tenant, signal: AbortSignal | undefined): People {
  const caller = wholeInstitution(tenant);
  const read = async function* (group: browseV1.RecordGroup, ids: readonly string[]) {
    for (let at = 0; at < ids.length; at += IDS_A_CALL) {
      const parameters = { ids: ids.slice(at, at + IDS_A_CALL).join('|') };
      const request = { caller, group, parameters, limit: IDS_A_CALL, offset: 0 };
      for await (const { records } of readStream(client, client.listRecords, request, { ...(signal && { signal }) })) yield* records;
    }
  };
  return {
    async readEmployees(ids) {
      const employees = new Map<string, Employee>();
      for await (const { record } of read(RecordGroup.RECORD_GROUP_EMPLOYEES, ids)) {
        const employee = record?.$case === 'employee' ? record.value.employee : undefined;
        if (employee !== undefined) employees.set(employee.id, toEmployee(employee));
      }
      return employees;
    },
    async readAccountNames(ids) {
      const names = new Map<string, string>();
      for await (const { record } of read(RecordGroup.RECORD_GROUP_MANAGERS, ids)) {
        const account = record?.$case === 'manager' ? record.value.account : undefined;
        if (account !== undefined) names.set(account.id, `${account.firstName} ${account.lastName}`);
      }
      return names;
    },
  };
}

function toEmployee({ id, accountId, firstName, lastName, customFields }: recordsV1.Employee): Employee {
  return { id, accountId: accountId ?? null, firstName, lastName, position: customFields.position ?? '' };
}
