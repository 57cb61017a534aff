import { commonV1, recordsV1 } from '@stechuhr/contracts';
import { readInstitution, recordReferences } from '@stechuhr/records-client';
import { readStream } from '@stechuhr/service';
import type { StaffTerms } from '../domain/prepare-subject.js';
import type { OrganizationRecords, RecordsQuery, Tenant } from '../operations/ports.js';
import { toSubjects, type SubjectTerms } from './to-subjects.js';

const STAFF_DEADLINE_MS = 30_000;
/** The number of ids per call. For more, records looks up twice where their overtime accounts begin. */
const IDS_A_CALL = 1_000;

const { RecordPart } = recordsV1;
const PARTS = [
  RecordPart.RECORD_PART_CONTRACTS,
  RecordPart.RECORD_PART_EARLIER_CONTRACTS,
  RecordPart.RECORD_PART_ABSENCES,
  RecordPart.RECORD_PART_APPLICATIONS,
  RecordPart.RECORD_PART_WORKDAYS,
  RecordPart.RECORD_PART_TIMESPANS,
  RecordPart.RECORD_PART_EDITS,
];

interface Asking extends Tenant {
  readonly accountId: string;
}

/** Reads the records of the whole institution. Calls end when the signal aborts. */
export function organizationRecords(client: recordsV1.RecordsServiceClient, asking: Asking, signal: AbortSignal): OrganizationRecords {
  const caller = seeingAll(asking);
  return {
    readOrganization: () => readInstitution(client, caller, signal),
    async readStaff() {
      const staff: StaffTerms[] = [];
      const messages = readStream(client, client.listEntitlements, { caller, employeeIds: [] }, { signal, deadlineMs: STAFF_DEADLINE_MS });
      for await (const { employees } of messages) for (const employee of employees) staff.push(toStaffTerms(employee));
      return staff.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async hasEmployee(id) {
      const named = { institutionId: asking.institutionId, references: [{ kind: 'employee', id }] } as const;
      return (await recordReferences(client, signal).missing([named])).length === 0;
    },
    async *readRecords(query) {
      const accounts = query.accounts ? [RecordPart.RECORD_PART_OPENING_BALANCES] : [];
      const request = { caller, fromDay: query.month.first, toDay: query.month.last, parts: [...PARTS, ...accounts] };
      for (let at = 0; at < query.staff.length; at += IDS_A_CALL) {
        const staff = query.staff.slice(at, at + IDS_A_CALL);
        const employeeIds = staff.map(({ id }) => id);
        const terms = termsOf(query, staff);
        const messages = readStream(client, client.readTimeRecords, { ...request, employeeIds }, { signal });
        for await (const { employees } of messages) yield toSubjects(employees, terms);
      }
    },
  };
}

/**
 * Returns a caller that sees the whole institution, with the account of the request. A review covers every employee, and a suppression rule
 * may refer to any of them, regardless of the caller (spec, Reviews). The visibility of an account restricts exports, but not reviews.
 */
function seeingAll({ institutionId, accountId }: Asking): commonV1.Caller {
  return { institutionId, accountId, visibility: { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined } };
}

function toStaffTerms({ id, hiredOn, leftOn }: recordsV1.EntitledEmployee): StaffTerms {
  return { id, employment: { hiredOn, leftOn: leftOn ?? null } };
}

function termsOf({ organization, month, accounts }: RecordsQuery, staff: readonly StaffTerms[]): SubjectTerms {
  return { organization, month, accounts, employments: new Map(staff.map(({ id, employment }) => [id, employment])) };
}
