import { describe, expect, it } from '@jest/globals';
import { MonthDraft } from './month-draft.js';
import type { MonthRecord, StoredMonth, StoredWorkday } from './month.js';

const address = { institutionId: 'i', employeeId: 'e', year: 2026, month: 3 };
const workday = (id: string, version = 1): StoredWorkday => ({ id, version, sequence: undefined, fields: {}, ...NEVER });
const NEVER = { recordedAt: undefined, modifiedAt: undefined };
const record: MonthRecord = { id: 'm', sequence: undefined, fields: {} };
const stored = (given: Partial<StoredMonth>): StoredMonth => ({
  address,
  version: 4,
  gone: false,
  eventsWait: false,
  record: undefined,
  workdays: undefined,
  ...given,
});

function draftOf(month: StoredMonth | undefined): MonthDraft<string> {
  return new MonthDraft<string>(address, month);
}

describe('MonthDraft', () => {
  it('writes the complete content of a new month', () => {
    const draft = draftOf(undefined);
    draft.put(workday('a'), 'a changed');
    draft.put(workday('b'), 'b changed');
    expect(draft.write()).toEqual({
      address,
      after: undefined,
      gone: false,
      record: undefined,
      changesRecord: false,
      workdays: { all: [workday('a'), workday('b')] },
      bytes: 4,
      events: ['a changed', 'b changed'],
    });
  });

  it('appends to a month whose workdays were not read', () => {
    const draft = draftOf(stored({ record }));
    draft.put(workday('a'), 'a changed');
    expect(draft.write()).toMatchObject({ record, workdays: { added: [workday('a')] }, gone: false });
  });

  it('replaces workdays that are stored', () => {
    const draft = draftOf(stored({ workdays: [workday('a'), workday('b')] }));
    draft.put(workday('b', 2), 'b changed');
    draft.put(workday('c'), 'c changed');
    expect(draft.write()).toMatchObject({ workdays: { all: [workday('a'), workday('b', 2), workday('c')] } });
  });

  it('deletes a month with its last workday', () => {
    const draft = draftOf(stored({ workdays: [workday('a')] }));
    draft.remove('a');
    expect(draft.write()).toMatchObject({ gone: true, events: [] });
  });

  it('keeps a month without workdays that has a record', () => {
    const draft = draftOf(stored({ workdays: [workday('a')], record }));
    draft.remove('a', 'a deleted');
    expect(draft.write()).toMatchObject({ gone: false, workdays: { all: [] }, events: ['a deleted'] });
  });

  it('deletes a month whose record is removed and that has no workdays', () => {
    const draft = draftOf(stored({ workdays: [], record }));
    draft.setRecord(undefined, 'm deleted');
    expect(draft.write()).toMatchObject({ gone: true, record: undefined });
  });

  it('does not take over the content of a deleted month', () => {
    const gone = stored({ gone: true, record, workdays: [workday('old')] });
    const draft = draftOf(gone);
    draft.put(workday('a'), 'a changed');
    expect(draft.write()).toMatchObject({ after: gone, gone: false, record: undefined, workdays: { all: [workday('a')] } });
  });

  it('is untouched until something is changed', () => {
    const draft = draftOf(stored({ record }));
    expect([draft.isTouched, draft.record]).toEqual([false, record]);
    draft.setRecord(record);
    expect(draft.isTouched).toBe(true);
  });
});
