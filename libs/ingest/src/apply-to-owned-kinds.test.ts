import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { accepted, isStored, type Change, type Content, type Reference, type Written } from './kinds/index.js';
import { applyToOwnedKinds } from './apply-to-owned-kinds.js';
import type { Named } from './find-unresolved.js';
import { oneByOne, type OwnedKind } from './owned-kind.js';

const HERE = 'institution';

interface Note extends Content<{ readonly text: string }> {
  readonly references: readonly Reference[];
}

interface StoredNote extends Written {
  readonly text: string;
}

interface Circumstances {
  readonly existing: string[];
  readonly lostRaces: number;
  readonly isImmutable: boolean;
  /** Runs between reading and writing. */
  readonly beforeWrite: () => Promise<void>;
}

/** A table of two kinds whose records are stored in a map; all operations are recorded. */
function table({ existing = [HERE], lostRaces = 0, isImmutable = false, beforeWrite }: Partial<Circumstances> = {}) {
  const stored = new Map<string, StoredNote>();
  const marked = new Map<string, number>();
  const over = new Map<string, number>();
  const log: string[] = [];
  const forgotten: Named[] = [];
  let races = lostRaces;
  const kind = (name: string, order: 'record' | 'institution'): OwnedKind<Note> => ({
    kinds: [{ name, order, schema: z.object({}), judge: () => ({ reason: 'is not asked' }) }],
    isImmutable,
    begin: oneByOne<Note, StoredNote>({
      load: (changes) => Promise.resolve(new Map([...stored].filter(([id]) => changes.some((change) => change.id === id)))),
      async write(change, before) {
        if (races-- > 0) return undefined;
        await beforeWrite?.();
        const { text } = change.content.fields;
        const news = before === undefined || !isStored(change, before, before.text === text);
        if (news) stored.set(change.id, { institutionId: change.institutionId, text, sequence: change.sequence ?? before?.sequence });
        log.push(`${name} ${change.id} ${news ? text : 'known'}`);
        return accepted;
      },
      remove(change) {
        stored.delete(change.id);
        log.push(`${name} ${change.id} removed`);
        return Promise.resolve(accepted);
      },
    }),
  });
  const apply = applyToOwnedKinds({
    kinds: [kind('form', 'record'), kind('entry', 'institution')],
    references: {
      missing: (named) =>
        Promise.resolve(
          named.map(({ institutionId, references }) => ({
            institutionId,
            references: references.filter(({ id }) => !existing.includes(id)),
          })),
        ),
    },
    markers: {
      sequences: (name, records) => Promise.resolve(records.map(({ id }) => marked.get(`${name}/${id}`) ?? 0)),
      put(name, deletions) {
        for (const { id, sequence } of deletions) marked.set(`${name}/${id}`, sequence);
        return Promise.resolve();
      },
      settle(name, records) {
        for (const { id } of records) over.set(`${name}/${id}`, marked.get(`${name}/${id}`) ?? 0);
        return Promise.resolve();
      },
      settled: (name, records) => Promise.resolve(records.map(({ id }) => over.get(`${name}/${id}`) ?? 0)),
    },
    forget: (deleted) => Promise.resolve(void forgotten.push(...deleted)),
  });
  const run = async (changes: Change<Note>[], mayWait = true) => (await apply(changes, { mayWait })).map(({ kind: outcome }) => outcome);
  return { run, apply, log, existing, stored, marked, forgotten };
}

function put(
  kind: string,
  id: string,
  change: Partial<Change<Note>> & { readonly names?: string; readonly text?: string } = {},
): Change<Note> {
  const { names, text = 'a', ...rest } = change;
  const references: Reference[] = names === undefined ? [] : [{ field: 'tag_id', kind: 'project', id: names }];
  return { kind, id, institutionId: HERE, content: { fields: { text }, references }, ...rest };
}

describe('applyToOwnedKinds', () => {
  it('writes kind by kind, and the records of a kind in order', async () => {
    const { run, log } = table();
    expect(await run([put('entry', 'e2'), put('form', 'f'), put('entry', 'e1'), put('entry', 'e1')])).toEqual(Array(4).fill('accepted'));
    expect(log).toEqual(['form f a', 'entry e2 a', 'entry e1 a', 'entry e1 a']);
  });

  it('returns "unresolved" with the missing references', async () => {
    const { apply, run, existing } = table();
    expect(await apply([put('form', 'f', { names: 'p' }), put('form', 'g')], { mayWait: true })).toEqual([
      { kind: 'unresolved', reason: 'tag_id names no project of the institution: p.' },
      accepted,
    ]);
    expect(await apply([put('form', 'f', { institutionId: 'nobody' })], { mayWait: false })).toEqual([
      { kind: 'unresolved', reason: 'institution_id names no institution: nobody.' },
    ]);
    existing.push('p');
    expect(await run([put('form', 'f', { names: 'p' })])).toEqual(['accepted']);
  });

  it('returns "behind" for later lines of the institution if the kind is ordered by institution', async () => {
    const { run, log } = table({ existing: [HERE, 'other'] });
    const changes = [
      put('entry', 'a'),
      put('entry', 'b', { names: 'p' }),
      put('entry', 'c'),
      put('entry', 'd', { institutionId: 'other' }),
    ];
    expect(await run(changes)).toEqual(['accepted', 'unresolved', 'behind', 'accepted']);
    expect(await run(changes, false)).toEqual(['accepted', 'unresolved', 'accepted', 'accepted']);
    expect(log).toEqual(['entry a a', 'entry d a', 'entry a known', 'entry c a', 'entry d known']);
  });

  it('does not change records of another institution', async () => {
    const { apply, log } = table({ existing: [HERE, 'other'] });
    await apply([put('form', 'f')], { mayWait: true });
    const refused = { kind: 'rejected', reason: 'id belongs to a record of another institution.' };
    expect(await apply([put('form', 'f', { institutionId: 'other' })], { mayWait: true })).toEqual([refused]);
    expect(await apply([{ ...put('form', 'f', { institutionId: 'other' }), content: null }], { mayWait: true })).toEqual([refused]);
    expect(log).toEqual(['form f a']);
  });

  it('ignores changes with an older stream sequence, also after a deletion', async () => {
    const { run, log } = table();
    expect(await run([put('form', 'f', { sequence: 7, text: 'seven' })])).toEqual(['accepted']);
    expect(await run([put('form', 'f', { sequence: 6, text: 'six' })])).toEqual(['overtaken']);
    expect(await run([put('form', 'f', { text: 'imported' })])).toEqual(['accepted']);
    expect(await run([{ ...put('form', 'f'), content: null }])).toEqual(['accepted']);
    expect(await run([put('form', 'f', { sequence: 6, text: 'late' })])).toEqual(['overtaken']);
    expect(await run([put('form', 'f', { sequence: 8, text: 'new' })])).toEqual(['accepted']);
    expect(log).toEqual(['form f seven', 'form f imported', 'form f removed', 'form f new']);
  });

  it('accepts and remembers the removal of a record that does not exist', async () => {
    const { run } = table();
    expect(await run([{ ...put('form', 'f', { sequence: 3 }), content: null }])).toEqual(['accepted']);
    expect(await run([put('form', 'f', { sequence: 2 })])).toEqual(['overtaken']);
  });

  it.each([false, true])('does not keep a record that was deleted while it was being created (immutable: %s)', async (isImmutable) => {
    let isDeleted = false;
    const { run, log } = table({
      isImmutable,
      async beforeWrite() {
        if (isDeleted) return;
        isDeleted = true;
        expect(await run([{ ...put('form', 'f', { sequence: 3 }), content: null }])).toEqual(['accepted']);
      },
    });
    await run([put('form', 'f', { sequence: 2 })]);
    expect(log).toEqual(['form f a', 'form f removed']);
  });

  it.each([false, true])(
    'removes what a process left that was killed before it saw that it was deleted (immutable: %s)',
    async (isImmutable) => {
      const { run, log, stored, marked } = table({ isImmutable });
      stored.set('f', { institutionId: HERE, text: 'a', sequence: 2 });
      marked.set('form/f', 3);
      await run([put('form', 'f', { sequence: 2 })]);
      expect(log).toEqual(['form f removed']);
    },
  );

  it('keeps a record imported after its deletion when an older live object arrives late', async () => {
    const { run, log, stored, marked } = table();
    stored.set('f', { institutionId: HERE, text: 'imported', sequence: undefined });
    marked.set('form/f', 3);
    expect(await run([put('form', 'f', { sequence: 2 })])).toEqual(['overtaken']);
    expect(log).toEqual([]);
  });

  it('does not restore a record that an import deleted when its live object is redelivered', async () => {
    const { run, stored } = table();
    const live = put('form', 'f', { sequence: 7 });
    expect(await run([live])).toEqual(['accepted']);
    expect(await run([{ ...put('form', 'f'), content: null }])).toEqual(['accepted']);
    expect(await run([live])).toEqual(['overtaken']);
    expect(stored.size).toBe(0);
  });

  it('keeps a record that an import created after its deletion when the deletion is delivered again', async () => {
    const { run, stored } = table();
    const [created, deletion] = [put('form', 'f', { sequence: 7 }), { ...put('form', 'f', { sequence: 8 }), content: null }];
    expect(await run([created])).toEqual(['accepted']);
    expect(await run([deletion])).toEqual(['accepted']);
    expect(await run([put('form', 'f', { text: 'imported' })])).toEqual(['accepted']);
    // An import may change what it created.
    expect(await run([put('form', 'f', { text: 'changed' })])).toEqual(['accepted']);
    expect(await run([deletion])).toEqual(['overtaken']);
    expect(await run([created])).toEqual(['overtaken']);
    expect(stored.get('f')?.text).toBe('changed');
    // A later deletion counts, and so does its repetition.
    expect(await run([{ ...put('form', 'f', { sequence: 9 }), content: null }])).toEqual(['accepted']);
    expect(stored.size).toBe(0);
  });

  it('completes a deletion that was interrupted before it removed an imported record', async () => {
    const { run, stored, marked } = table();
    expect(await run([put('form', 'f', { text: 'imported' })])).toEqual(['accepted']);
    marked.set('form/f', 8);
    expect(await run([put('form', 'f', { text: 'imported' })])).toEqual(['accepted']);
    expect(await run([{ ...put('form', 'f', { sequence: 8 }), content: null }])).toEqual(['accepted']);
    expect(stored.size).toBe(0);
  });

  it('keeps a record that an import creates while the deletion is being repeated', async () => {
    const { run, stored, marked } = table();
    marked.set('form/f', 8);
    const repeated = run([{ ...put('form', 'f', { sequence: 8 }), content: null }]);
    const imported = run([put('form', 'f', { text: 'imported' })]);
    await Promise.all([repeated, imported]);
    expect(stored.get('f')?.text).toBe('imported');
  });

  it('removes a record whose referenced record was deleted during the write', async () => {
    const existing = [HERE, 'p', 'q'];
    const { run, forgotten } = table({ existing, beforeWrite: () => Promise.resolve(void existing.splice(1, 1)) });
    expect(await run([put('form', 'f', { names: 'p' })])).toEqual(['accepted']);
    expect(forgotten).toEqual([{ institutionId: HERE, references: [{ kind: 'project', id: 'p' }] }]);
  });

  it('removes a record whose writer was killed before it noticed the deletion of a referenced record', async () => {
    const { run, stored, forgotten } = table();
    stored.set('f', { institutionId: HERE, text: 'a', sequence: 2 });
    // The first one is no dead letter: it was written, and what it named was deleted afterwards.
    expect(await run([put('form', 'f', { sequence: 2, names: 'p' }), put('form', 'g', { names: 'q' })])).toEqual([
      'accepted',
      'unresolved',
    ]);
    expect(forgotten).toEqual([{ institutionId: HERE, references: [{ kind: 'project', id: 'p' }] }]);
  });

  it('retries a limited number of times when the compare-and-set is lost', async () => {
    expect(await table({ lostRaces: 3 }).run([put('form', 'f')])).toEqual(['accepted']);
    await expect(table({ lostRaces: 100 }).run([put('form', 'f')])).rejects.toMatchObject({ code: 'unavailable' });
  });
});
