import { describe, expect, it } from '@jest/globals';
import { uuidV5 } from '@stechuhr/kernel';
import fc from 'fast-check';
import { autofill, autofillableFields, type AutofillWrite } from './autofill.js';
import { newestOfGroups, type Entry } from './entry.js';
import type { EntryValue } from './entry-value.js';
import { builtInForm, type Form, type FormField } from './form.js';
import type { TrackedDay } from './tracked-day.js';

const report = { tagId: 'site', date: 20_000 };
const HOURS = 'employee-working-times';
const fields = autofillableFields(builtInForm);

function worked(hours: number, employeeName = 'Max Beispiel'): EntryValue {
  return { type: HOURS, hours, employeeAccountId: '', employeeName, employeePosition: '' };
}

let sequence = 0;

/** Returns an entry with author, employee and value; the field is named like the type unless given. */
function entry(authorId: string | null, onBehalfOfId: string | null, value: EntryValue, given: Partial<Entry> = {}): Entry {
  sequence += 1;
  const moments = { submittedAt: null, createdAt: 0, modifiedAt: 0 };
  const id = uuidV5('5f2c1c60-0000-4000-8000-000000000000', String(sequence));
  return { id, ...report, fieldId: value.type, value, authorId, onBehalfOfId, burned: false, ...moments, sequence, ...given };
}

const burned = { burned: true };
const text = (words: string): EntryValue => ({ type: 'activities', text: words });
const day = (employeeId: string, hours: number, ...activities: string[]): TrackedDay => ({ employeeId, hours, activities });

/** Returns the writes as one line each. */
function written(writes: readonly AutofillWrite[]): string[] {
  return writes.map((write) => {
    const [who, value] = 'burns' in write ? [write.burns.onBehalfOfId, write.burns.value] : [write.employeeId, write.value];
    const said = value.type === HOURS ? String(value.hours) : value.type === 'activities' ? value.text : '?';
    return `${'burns' in write ? 'burn ' : ''}${write.fieldId} ${String(who)} ${said}`;
  });
}

const fill = (days: readonly TrackedDay[], entries: readonly Entry[] = [], form: Form = builtInForm) =>
  written(autofill(autofillableFields(form), days, newestOfGroups(entries)));

describe('autofill', () => {
  const eight = day('max', 8, 'Beton');
  it.each<[string, TrackedDay[], Entry[], string[]]>([
    ['an empty report', [eight, day('eva', 7.5)], [], [`${HOURS} max 8`, `${HOURS} eva 7.5`, 'activities max Beton']],
    ['nothing without hours', [day('max', 0)], [], []],
    [
      'equal values of two employees',
      [day('max', 0, 'Beton'), day('eva', 0, 'Beton')],
      [],
      ['activities max Beton', 'activities eva Beton'],
    ],
    ['nothing that is there', [eight], [entry(null, 'max', worked(8)), entry(null, 'max', text('Beton'))], []],
    ['whatever the snapshot says', [eight], [entry(null, 'max', worked(8, 'Eva Beispiel')), entry(null, 'max', text('Beton'))], []],
    ['a system entry with another value', [day('max', 8)], [entry(null, 'max', worked(7))], [`${HOURS} max 8`]],
    ['nothing over a person', [day('max', 8)], [entry('boss', 'max', worked(7))], []],
    ['nothing over a correction', [day('max', 8)], [entry(null, 'max', worked(6)), entry('boss', 'max', worked(7))], []],
    [
      'nothing if a person deleted the value',
      [eight],
      [entry('boss', 'max', worked(8), burned), entry('boss', 'max', text('Beton'), burned)],
      [],
    ],
    ['again what the system deleted', [day('max', 8)], [entry(null, 'max', worked(8), burned)], [`${HOURS} max 8`]],
    [
      'over a manual entry that a system entry has replaced',
      [day('max', 8)],
      [entry('boss', 'max', worked(7)), entry(null, 'max', worked(7.5))],
      [`${HOURS} max 8`],
    ],
    [
      'tombstones if tracked time was removed',
      [],
      [entry(null, 'max', worked(8)), entry(null, 'max', text('Beton'))],
      [`burn ${HOURS} max 8`, 'burn activities max Beton'],
    ],
    ['a tombstone where the hours did', [day('max', 0)], [entry(null, 'max', worked(8))], [`burn ${HOURS} max 8`]],
    ['one tombstone', [], [entry(null, 'max', worked(8)), entry(null, 'max', worked(8), burned)], []],
    ['no tombstone over a person', [], [entry('boss', 'max', worked(8)), entry('boss', null, text('Gerüst'))], []],
    [
      'a new comment and a tombstone for the old one',
      [day('max', 0, 'Estrich')],
      [entry(null, 'max', text('Beton'))],
      ['activities max Estrich', 'burn activities max Beton'],
    ],
    [
      'nothing into other fields',
      [],
      [entry(null, 'max', { type: 'string', value: 'x' }), entry(null, 'max', worked(1), { fieldId: 'gone' })],
      [],
    ],
  ])('writes %s', (_, days, entries, expected) => {
    expect(fill(days, entries)).toEqual(expected);
  });

  it('fills each field that is configured for it, in the order of the form', () => {
    const tracking = (id: string, type: 'activities' | typeof HOURS, autofillFromTracking = true): FormField => ({
      ...{ id, type, label: id },
      config: { autofillFromTracking },
    });
    const form = {
      ...builtInForm,
      fields: [tracking('b', 'activities'), tracking('off', HOURS, false), tracking('a', HOURS), tracking('c', 'activities')],
    };
    expect(fill([eight], [entry(null, 'max', text('Beton'), { fieldId: 'c' })], form)).toEqual(['b max Beton', 'a max 8']);
    expect(fill([], [entry(null, 'max', worked(8), { fieldId: 'off' })], form)).toEqual([]);
  });

  const employees = fc.constantFrom('max', 'eva', 'ole');
  const comments = fc.constantFrom('Beton', 'Estrich', 'Gerüst');
  const hours = fc.constantFrom(0, 0.01, 7.5, 8, 24);
  const days = fc.uniqueArray(fc.record({ employeeId: employees, hours, activities: fc.uniqueArray(comments) }), {
    selector: ({ employeeId }) => employeeId,
  });
  const value = fc.oneof(
    hours.map((count) => worked(count)),
    comments.map(text),
  );
  const history = fc.array(
    fc
      .tuple(fc.constantFrom(null, 'boss'), employees, value, fc.boolean())
      .map(([by, about, what, isBurned]) => entry(by, about, what, { burned: isBurned })),
  );

  const run = (tracked: readonly TrackedDay[], entries: readonly Entry[]) => autofill(fields, tracked, newestOfGroups(entries));

  function apply(tracked: readonly TrackedDay[], entries: readonly Entry[]): readonly Entry[] {
    const added = run(tracked, entries).map((write) => {
      if ('burns' in write) return entry(null, write.burns.onBehalfOfId, write.burns.value, burned);
      return entry(null, write.employeeId, write.value.type === HOURS ? worked(write.value.hours) : write.value);
    });
    return [...entries, ...added];
  }

  it('writes nothing the second time, for any state', () => {
    fc.assert(fc.property(days, history, (tracked, entries) => void expect(written(run(tracked, apply(tracked, entries)))).toEqual([])));
  });

  it('never changes a group whose newest entry is manual', () => {
    fc.assert(
      fc.property(days, history, (tracked, entries) => {
        const manual = newestOfGroups(entries).filter(({ authorId }) => authorId !== null);
        expect(newestOfGroups(apply(tracked, entries))).toEqual(expect.arrayContaining([...manual]));
      }),
    );
  });

  it('makes system entries match the tracked time exactly, after each change of it', () => {
    fc.assert(
      fc.property(fc.array(days, { minLength: 1 }), (states) => {
        const entries = states.reduce<readonly Entry[]>((known, tracked) => apply(tracked, known), []);
        const current = newestOfGroups(entries).filter((one) => !one.burned);
        const said = current.map(
          (one) => `${String(one.onBehalfOfId)} ${one.value.type === HOURS ? String(one.value.hours) : JSON.stringify(one.value)}`,
        );
        const tracked = (states.at(-1) ?? []).flatMap(({ employeeId, hours: count, activities }) => [
          ...(count > 0 ? [`${employeeId} ${String(count)}`] : []),
          ...activities.map((words) => `${employeeId} ${JSON.stringify(text(words))}`),
        ]);
        expect(said.sort()).toEqual(tracked.sort());
      }),
    );
  });
});
