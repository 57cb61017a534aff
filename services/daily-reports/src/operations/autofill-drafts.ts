import { newId } from '@stechuhr/kernel';
import { isSettled, type AutofillWrite, type TrackedValue } from '../domain/autofill.js';
import type { EntryValue } from '../domain/entry-value.js';
import type { Call, Employee, EntryDraft } from './ports.js';

/**
 * Entries of the system for what autofill wants to write: hours with the employee as it is now, tombstones with the value that they delete.
 * Somebody who is gone by now gets none.
 */
export async function draftsOf(
  { records, clock }: Pick<Call, 'records' | 'clock'>,
  writes: readonly AutofillWrite[],
): Promise<EntryDraft[]> {
  const named = writes.flatMap((write) => ('burns' in write || write.value.type === 'activities' ? [] : [write.employeeId]));
  const employees = named.length === 0 ? new Map<string, Employee>() : await records.readEmployees([...new Set(named)]);
  const now = Math.floor(clock.now() / 1000);
  const common = { authorId: null, submittedAt: null, createdAt: now, modifiedAt: now };
  return writes.flatMap((write): EntryDraft[] => {
    const wanted = 'burns' in write ? undefined : write.value;
    const value = 'burns' in write ? write.burns.value : valueOf(write.value, employees.get(write.employeeId));
    if (value === undefined) return [];
    const onBehalfOfId = 'burns' in write ? write.burns.onBehalfOfId : write.employeeId;
    const isNeedless: EntryDraft['isNeedless'] = (newest) => isSettled(newest, wanted);
    return [{ ...common, id: newId(), fieldId: write.fieldId, value, onBehalfOfId, burned: wanted === undefined, isNeedless }];
  });
}

function valueOf(value: TrackedValue, employee: Employee | undefined): EntryValue | undefined {
  if (value.type === 'activities') return value;
  if (employee === undefined) return undefined;
  const { accountId, firstName, lastName, position } = employee;
  return { ...value, employeeAccountId: accountId ?? '', employeeName: `${firstName} ${lastName}`, employeePosition: position };
}
