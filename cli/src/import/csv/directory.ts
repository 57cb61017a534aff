import { commonV1, recordsV1 } from '@stechuhr/contracts';
import { readStream } from '@stechuhr/service';
import { formatLocalDate } from '@stechuhr/worktime';
import { Failure } from '../../failure.js';
import { grpcClient } from '../../grpc-client.js';
import { explainUnavailable } from '../../explain-unavailable.js';
import type { Mapping } from './mapping.js';
import { byName, type Named } from './named.js';

/** A record in its import format, without the envelope. */
export type Fields = Readonly<Record<string, unknown>>;

/** The records of an institution that rows may refer to, by name. Names need not be unique. */
export interface Directory {
  readonly employeeIds: ReadonlySet<string>;
  readonly employeesByNumber: Named<StoredEmployee>;
  readonly employeesByAccountingNumber: Named<StoredEmployee>;
  readonly departments: Named<{ readonly id: string }>;
  readonly projects: Named<{ readonly id: string }>;
}

export interface StoredEmployee {
  readonly id: string;
  /** Undefined if the service does not tell it: an earlier version of it ignores versions. */
  readonly version?: number | undefined;
  readonly fields: Fields;
}

type Entitled = Pick<recordsV1.EntitledEmployee, 'entitlements' | 'version'>;

/** Of an employee who was created after the entitlements were read. */
const UNKNOWN: Entitled = { entitlements: [], version: 0 };
const NOBODY = '00000000-0000-0000-0000-000000000000';
const { Proration } = recordsV1;

/**
 * Reads the records that the rows of a mapping may refer to.
 * @throws Failure if the records service is unavailable
 */
export async function readDirectory(address: string, { kind, institution_id: institutionId }: Mapping): Promise<Directory> {
  const client = grpcClient(recordsV1.RecordsServiceClient, address);
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
  const request = { caller: { institutionId, accountId: NOBODY, visibility } };
  try {
    const entitled = new Map<string, Entitled>();
    const [employees, departments, projects]: [recordsV1.Employee[], recordsV1.Department[], recordsV1.Project[]] = [[], [], []];
    if (kind === 'employee') {
      // Read first: if an employee changes before the other fields are read, the version is not that of the fields, and the row is rejected.
      for await (const message of readStream(client, client.listEntitlements, { ...request, employeeIds: [] }))
        for (const one of message.employees) entitled.set(one.id, one);
    }
    for await (const message of readStream(client, client.listEmployees, request)) employees.push(...message.employees);
    if (kind === 'employee') {
      for await (const message of readStream(client, client.listDepartments, request)) departments.push(...message.departments);
    } else {
      for await (const message of readStream(client, client.listProjects, request)) projects.push(...message.projects);
    }
    const stored = employees.map((employee) => {
      const { entitlements, version } = entitled.get(employee.id) ?? UNKNOWN;
      return { employee, id: employee.id, version, fields: fieldsOf(employee, entitlements) };
    });
    return {
      employeeIds: new Set(stored.map(({ id }) => id)),
      employeesByNumber: byName(stored, ({ employee }) => employee.number),
      employeesByAccountingNumber: byName(stored, ({ employee }) => employee.accountingNumber),
      departments: byName(departments, ({ name }) => name),
      projects: byName(projects, ({ code }) => code),
    };
  } catch (caught) {
    throw Failure.fromPlatform(explainUnavailable(caught, { records: address }));
  } finally {
    client.close();
  }
}

/** The fields of an employee in the import format. */
function fieldsOf(employee: recordsV1.Employee, entitlements: readonly recordsV1.Entitlement[]): Fields {
  const { accountId, number, accountingNumber, firstName, lastName, email, departmentId, customFields, hiredOn, leftOn, archivedOn } =
    employee;
  return {
    account_id: accountId ?? null,
    number,
    accounting_number: accountingNumber ?? null,
    first_name: firstName,
    last_name: lastName,
    email: email ?? null,
    department_id: departmentId ?? null,
    custom_fields: customFields,
    hired_on: formatLocalDate(hiredOn),
    left_on: dateOf(leftOn),
    archived_on: dateOf(archivedOn),
    entitlements: entitlements.map(settingOf),
  };
}

const prorations: ReadonlyMap<recordsV1.Proration, string> = new Map([
  [Proration.PRORATION_NONE, 'none'],
  [Proration.PRORATION_TWELFTHS, 'twelfths'],
  [Proration.PRORATION_BURLG, 'burlg'],
]);

function settingOf(setting: recordsV1.Entitlement): Fields {
  const { id, label, missingType, amountHundredths, priority, cycleStart, validFrom, validTo, expiry, proration } = setting;
  return {
    ...{ id, label, priority },
    missing_type: missingType,
    amount: (amountHundredths / 100).toFixed(2),
    cycle_start: monthDay(cycleStart),
    valid_from: formatLocalDate(validFrom),
    valid_to: dateOf(validTo),
    expiry: expiryOf(expiry),
    proration: prorations.get(proration),
  };
}

function expiryOf(expiry: recordsV1.Entitlement['expiry']): Fields | null {
  if (expiry === undefined) return null;
  if (expiry.$case === 'expiryMonths') return { months: expiry.value };
  return { month_day: monthDay(expiry.value.monthDay), year_offset: expiry.value.yearOffset };
}

function monthDay({ month, day }: recordsV1.MonthDay = { month: 1, day: 1 }): string {
  return `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function dateOf(day: number | undefined): string | null {
  return day === undefined ? null : formatLocalDate(day);
}
