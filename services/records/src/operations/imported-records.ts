import type { PayrollEmployee } from '../domain/accounting-numbers.js';
import type { Change, Fields, KindName } from '../domain/kind.js';
import type { Existing } from './find-missing.js';
import type { RecordStore } from './ports.js';

interface Staff {
  readonly institutionId: string;
  /** Undefined for those who are in no payroll. */
  readonly employee: PayrollEmployee | undefined;
}

/**
 * What would be stored if an import that writes nothing had written its lines so far. It keeps ids, no fields; null is what a line deleted.
 */
export class ImportedRecords implements Existing, Pick<RecordStore, 'payrollStaff'> {
  private readonly institutions = new Map<string, string | null>();
  /** What is stored of them went with them. */
  private readonly deletedInstitutions = new Set<string>();
  private readonly types = new Map<string, ReadonlySet<string> | null>();
  private readonly staff = new Map<string, Staff>();
  private readonly records = new Map<string, string | null>();
  private readonly months = new Map<string, string>();

  constructor(private readonly stored: Existing & Pick<RecordStore, 'payrollStaff'>) {}

  institutionsOf: Existing['institutionsOf'] = async (kind, ids) =>
    this.withImported(kind, ids, await this.stored.institutionsOf(kind, ids));

  /** The institutions of some records as the import leaves them, given those that are stored. */
  withImported(kind: KindName, ids: readonly string[], stored: ReadonlyMap<string, string>): Map<string, string> {
    const found = new Map<string, string>();
    for (const id of ids) {
      const imported = this.institutions.get(`${kind}/${id}`);
      const before = stored.get(id);
      const kept = before !== undefined && !this.deletedInstitutions.has(before) ? before : undefined;
      const institutionId = imported === undefined ? kept : (imported ?? undefined);
      if (institutionId !== undefined) found.set(id, institutionId);
    }
    return found;
  }

  absenceTypes: Existing['absenceTypes'] = async (institutionIds) => {
    const found = new Map(await this.stored.absenceTypes(institutionIds));
    for (const id of institutionIds) {
      const values = this.types.get(id);
      if (values === null) found.delete(id);
      else if (values !== undefined) found.set(id, values);
    }
    return found;
  };

  async payrollStaff(institutionId: string): Promise<readonly PayrollEmployee[]> {
    const stored = this.deletedInstitutions.has(institutionId) ? [] : await this.stored.payrollStaff(institutionId);
    const ofInstitution = [...this.staff.values()].filter((one) => one.institutionId === institutionId);
    return [...stored.filter(({ id }) => !this.staff.has(id)), ...ofInstitution.flatMap(({ employee }) => employee ?? [])];
  }

  /** The id of what is recorded about a month, given what is stored. */
  recordOf(month: string, stored: string | undefined): string | undefined {
    const imported = this.records.get(month);
    return imported === undefined ? stored : (imported ?? undefined);
  }

  /** Which month a line of this import made a record of. */
  monthOf(id: string): string | undefined {
    return this.months.get(id);
  }

  setRecord(month: string, id: string | null): void {
    this.records.set(month, id);
    if (id !== null) this.months.set(id, month);
  }

  add({ kind, institutionId, id, content }: Change): void {
    this.institutions.set(`${kind}/${id}`, content === null ? null : institutionId);
    if (kind === 'employee') this.staff.set(id, { institutionId, employee: content === null ? undefined : inPayroll(id, content.fields) });
    if (kind !== 'institution') return;
    if (content === null) this.deletedInstitutions.add(id);
    this.types.set(id, content === null ? null : typesOf(content.fields));
  }
}

function typesOf({ absence_types: types }: Fields): ReadonlySet<string> {
  return new Set((Array.isArray(types) ? types : []).map(({ value }: { value: string }) => value));
}

function inPayroll(id: string, fields: Fields): PayrollEmployee | undefined {
  const { number, accounting_number: accountingNumber, first_name: firstName, last_name: lastName, archived_on: archivedOn } = fields;
  if (typeof accountingNumber !== 'string' || archivedOn !== null) return undefined;
  return { id, number: String(number), accountingNumber, name: `${String(firstName)} ${String(lastName)}` };
}
