import { createLimiter } from '@stechuhr/kernel';
import type { DocumentKind, StoredRecord } from '../domain/stored-record.js';
import { clearReference, removeMonths, whileDeleted, type Deleted } from './cascade-steps.js';
import { markRemoved, planRemoved } from './mark-removed.js';
import type { RecordName, RecordWrite, WriteContext } from './ports.js';
import { saveRecords } from './save-records.js';

/** Removes or changes the records that refer to a deleted record. It can be repeated. */
type CascadeStep = (context: WriteContext, deleted: Deleted) => Promise<void>;

/** The steps for each kind: which records are deleted with a record, and which only lose their reference. */
const cascades: Partial<Record<DocumentKind, readonly CascadeStep[]>> = {
  institution: [removeOwned('employee'), removeOwned('account'), removeOwned('department'), removeOwned('project')],
  employee: [
    removeOwned('contract', 'employee_id'),
    removeOwned('absence', 'employee_id'),
    removeOwned('absence_application', 'employee_id'),
    removeMonths,
  ],
  department: [forgetIn('employee', 'department_id'), forgetIn('account', 'department_ids')],
  account: [forgetIn('employee', 'account_id')],
  project: [forgetIn('account', 'project_ids')],
};

const cascadingKinds = ['institution', 'employee', 'department', 'account', 'project'] as const satisfies DocumentKind[];

/** Cascades mostly wait for the database, so several run in parallel. */
const REMOVALS_AT_A_TIME = 4;

/**
 * Deletes records. A record with a cascade is first marked as leaving, which hides it at once, and is deleted after its cascade. A removal
 * that was interrupted in between is found by this mark and finished.
 *
 * @returns false if one of them lost the compare-and-set
 */
export async function removeRecords(context: WriteContext, kind: DocumentKind, records: readonly StoredRecord[]): Promise<boolean> {
  if (cascades[kind] === undefined)
    return saveRecords(
      context,
      kind,
      records.map((record) => goneWrite(context, kind, record)),
    );
  const marked = await saveRecords(context, kind, records.map(leavingWrite));
  if (!marked) return false;
  const limited = createLimiter(REMOVALS_AT_A_TIME);
  await Promise.all(records.map((record) => limited(() => finishRemoval(context, kind, { ...record, version: record.version + 1 }))));
  return true;
}

/** Loads records after finishing their removals that are in progress. */
export async function loadSettled(
  context: WriteContext,
  kind: DocumentKind,
  wanted: readonly RecordName[],
): Promise<Map<string, StoredRecord>> {
  const stored = await context.records.load(kind, wanted);
  const leaving = [...stored.values()].filter(({ state }) => state === 'leaving');
  if (leaving.length === 0) return stored;
  for (const record of leaving) await finishRemoval(context, kind, record);
  return context.records.load(kind, wanted);
}

/**
 * Finishes the removals that another process left unfinished.
 *
 * @throws the first failure, after all removals were tried
 */
export async function finishRemovals(context: WriteContext): Promise<void> {
  const failures: unknown[] = [];
  for (const kind of cascadingKinds) {
    for (const record of await context.records.leaving(kind))
      await finishRemoval(context, kind, record).catch((caught: unknown) => failures.push(caught));
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Repeats the cascades of deleted records to which newly written records refer: the writer and the removal may each have read before the
 * other wrote. It can be repeated.
 */
export async function repeatCascades(context: WriteContext, deleted: readonly Deleted[]): Promise<void> {
  for (const one of deleted) await cascade(context, one);
}

async function cascade(context: WriteContext, deleted: Deleted): Promise<void> {
  for (const step of cascades[deleted.kind] ?? []) await step(context, deleted);
}

/**
 * Runs the cascade and deletes the record. Another process may do the same concurrently; the last write of one of them then changes
 * nothing.
 */
async function finishRemoval(context: WriteContext, kind: DocumentKind, record: StoredRecord): Promise<void> {
  const { institutionId, id } = record;
  await cascade(context, { kind, institutionId, id });
  await saveRecords(context, kind, [goneWrite(context, kind, record)]);
}

function leavingWrite(record: StoredRecord): RecordWrite {
  const { institutionId, id, fields, sequence } = record;
  return { institutionId, id, after: record, state: 'leaving', fields, sequence };
}

function goneWrite({ events }: WriteContext, kind: DocumentKind, record: StoredRecord): RecordWrite {
  const { institutionId, id, fields } = record;
  return { institutionId, id, after: record, state: 'gone', fields, sequence: undefined, event: events.deleted(kind, record) };
}

function removeOwned(kind: DocumentKind, ownerField?: string): CascadeStep {
  return async (context, deleted) => {
    const { institutionId } = deleted;
    const condition = ownerField === undefined ? undefined : { field: ownerField, value: deleted.id };
    const read = async () => {
      const ids = await context.records.idsWith(kind, institutionId, condition);
      const names = ids.map((id) => ({ institutionId, id }));
      return names.length === 0 ? [] : [...(await loadSettled(context, kind, names)).values()];
    };
    const remove = async (some: readonly StoredRecord[]) => {
      const present = some.filter(({ state }) => state === 'present');
      await planRemoved(context, kind, present);
      await removeRecords(context, kind, present);
      await markRemoved(context, kind, present);
    };
    await whileDeleted(context, deleted, read, remove);
  };
}

function forgetIn(kind: 'employee' | 'account', field: string): CascadeStep {
  return (context, deleted) => clearReference(context, kind, field, deleted);
}
