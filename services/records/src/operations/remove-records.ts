import { createLimiter } from '@stechuhr/kernel';
import type { DocumentKind, StoredRecord } from '../domain/stored-record.js';
import { clearReference, removeMonths } from './cascade-steps.js';
import type { FieldCondition, RecordName, RecordWrite, WriteContext } from './ports.js';
import { saveRecords } from './save-records.js';

/** Removes or changes what refers to a deleted record. It can be repeated. */
type CascadeStep = (context: WriteContext, record: StoredRecord) => Promise<void>;

/** What is deleted with a record, and what only loses its reference. */
const cascades: Partial<Record<DocumentKind, readonly CascadeStep[]>> = {
  institution: [removeOwned('employee'), removeOwned('account'), removeOwned('department'), removeOwned('project')],
  employee: [
    removeOwned('contract', 'employee_id'),
    removeOwned('absence', 'employee_id'),
    removeOwned('absence_application', 'employee_id'),
    (context, { institutionId, id }) => removeMonths(context, institutionId, id),
  ],
  department: [forgetIn('employee', 'department_id'), forgetIn('account', 'department_ids')],
  account: [forgetIn('employee', 'account_id')],
  project: [forgetIn('account', 'project_ids')],
};

const cascadingKinds = ['institution', 'employee', 'department', 'account', 'project'] as const satisfies DocumentKind[];

/** A cascade mostly waits for the database. */
const REMOVALS_AT_A_TIME = 4;

/**
 * Deletes records. One with a cascade is first marked as leaving, which already hides it, and is deleted after its cascade: what an
 * interruption leaves off in between is found by its mark and finished.
 *
 * @returns false when one of them lost the compare-and-set
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

/** Loads records and waits for removals in progress. */
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

/** Completes the removals that a process left unfinished. */
export async function finishRemovals(context: WriteContext): Promise<void> {
  for (const kind of cascadingKinds) {
    for (const record of await context.records.leaving(kind)) await finishRemoval(context, kind, record);
  }
}

/** Another process may do the same concurrently; then the last write of one of them finds nothing to do. */
async function finishRemoval(context: WriteContext, kind: DocumentKind, record: StoredRecord): Promise<void> {
  for (const step of cascades[kind] ?? []) await step(context, record);
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
  return async (context, { institutionId, id }) => {
    const condition: FieldCondition | undefined = ownerField === undefined ? undefined : { field: ownerField, value: id };
    for (;;) {
      const ids = await context.records.idsWith(kind, institutionId, condition);
      if (ids.length === 0) return;
      const stored = await loadSettled(
        context,
        kind,
        ids.map((owned) => ({ institutionId, id: owned })),
      );
      await removeRecords(
        context,
        kind,
        [...stored.values()].filter(({ state }) => state === 'present'),
      );
    }
  };
}

function forgetIn(kind: 'employee' | 'account', field: string): CascadeStep {
  return (context, { institutionId, id }) => clearReference(context, kind, institutionId, { field, value: id });
}
