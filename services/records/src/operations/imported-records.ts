import type { PayrollEmployee } from '../domain/accounting-numbers.js';
import type { Change, Fields, KindName } from '../domain/kind.js';
import type { DocumentKind } from '../domain/stored-record.js';
import type { Existing } from './find-missing.js';
import { nameOf } from '../domain/month-contents.js';
import type { Imported } from './ingest.js';
import type { RecordName, RecordStore } from './ports.js';

interface Staff {
  readonly institutionId: string;
  /** Undefined for employees who are not in payroll. */
  readonly employee: PayrollEmployee | undefined;
}

/**
 * The records as they would be stored if a dry-run import had written its lines so far. It keeps ids but no fields; null marks a deleted
 * record.
 */
export class ImportedRecords implements Existing, Imported {
  private readonly institutions = new Map<string, string | null>();
  /** Their stored records count as deleted, too. */
  private readonly deletedInstitutions = new Set<string>();
  private readonly types = new Map<string, ReadonlySet<string> | null>();
  private readonly staff = new Map<string, Staff>();
  private readonly records = new Map<string, string | null>();
  private readonly months = new Map<string, string>();

  constructor(private readonly stored: Existing & Imported & Pick<RecordStore, 'takenByOthers'>) {}

  existing: Existing['existing'] = async (kind, wanted) => {
    const stored = await this.stored.existing(kind, wanted);
    const holderOf = (record: RecordName) =>
      this.holderOf(kind, record, stored.has(nameOf(record, record.id)) ? record.institutionId : undefined);
    return new Set(wanted.filter((record) => holderOf(record) === record.institutionId).map((record) => nameOf(record, record.id)));
  };

  /**
   * Returns the institutions that use the ids of the changes. An import that writes detects ids of other institutions when it writes; a dry
   * run has to query them.
   */
  async holdersOf(kind: DocumentKind, changes: readonly Change[]): Promise<Map<string, string>> {
    const [own, taken] = await Promise.all([
      this.stored.existing(kind, changes),
      this.stored.takenByOthers(
        kind,
        changes.filter(({ content }) => content !== null),
      ),
    ]);
    return new Map(
      changes.flatMap((change) => {
        const stored = own.has(nameOf(change, change.id)) ? change.institutionId : taken.get(change.id);
        const holder = this.holderOf(kind, change, stored);
        return holder === undefined ? [] : [[change.id, holder]];
      }),
    );
  }

  /** Returns the institution that uses an id after the lines so far. @param stored the institution in which it is stored */
  private holderOf(kind: KindName, { id }: RecordName, stored: string | undefined): string | undefined {
    const imported = this.institutions.get(`${kind}/${id}`);
    if (imported !== undefined) return imported ?? undefined;
    return stored !== undefined && !this.deletedInstitutions.has(stored) ? stored : undefined;
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

  /** Leaves out absences that a line writes or deletes, and those of deleted employees. A written one has a type of the institution. */
  async *absencesOfOtherTypes(institutionId: string, types: ReadonlySet<string>): ReturnType<Imported['absencesOfOtherTypes']> {
    for await (const absence of this.stored.absencesOfOtherTypes(institutionId, types)) {
      const isReplaced = this.institutions.has(`absence/${absence.id}`) || this.institutions.get(`employee/${absence.employeeId}`) === null;
      if (!isReplaced) yield absence;
    }
  }

  async payrollStaff(institutionId: string): Promise<readonly PayrollEmployee[]> {
    const stored = this.deletedInstitutions.has(institutionId) ? [] : await this.stored.payrollStaff(institutionId);
    const ofInstitution = [...this.staff.values()].filter((one) => one.institutionId === institutionId);
    return [...stored.filter(({ id }) => !this.staff.has(id)), ...ofInstitution.flatMap(({ employee }) => employee ?? [])];
  }

  /** Returns the id of the record of a month, given the stored id. */
  recordOf(month: string, stored: string | undefined): string | undefined {
    const imported = this.records.get(month);
    return imported === undefined ? stored : (imported ?? undefined);
  }

  /** Returns the month for which a line of this import wrote the record. */
  monthOf(record: RecordName): string | undefined {
    return this.months.get(nameOf(record, record.id));
  }

  freeMonth(month: string): void {
    this.records.set(month, null);
  }

  setRecord(month: string, record: RecordName): void {
    this.records.set(month, record.id);
    this.months.set(nameOf(record, record.id), month);
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
