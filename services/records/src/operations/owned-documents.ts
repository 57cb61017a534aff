import { isDeepStrictEqual } from 'node:util';
import { allAccepted, type Attempt, type OwnedKind } from '@stechuhr/ingest';
import { accepted, isStored, obstacle, type Outcome } from '@stechuhr/ingest/kinds';
import type { Change, Content, KindName } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import { nameOf } from '../domain/month-contents.js';
import type { DocumentKind, StoredRecord } from '../domain/stored-record.js';
import type { RecordName, RecordWrite, WriteContext } from './ports.js';
import { loadSettled, removeRecords } from './remove-records.js';
import { forgetAccounts, saveRecords } from './save-records.js';

/** Returns how kinds with one document per record are stored. A deletion also deletes the records that belong to the record. */
export function ownedDocuments(context: WriteContext, kind: DocumentKind): OwnedKind<Content, KindName> {
  return { kinds: [kinds[kind]], begin: (changes: readonly Change[]) => begin(context, kind, changes) };
}

const CHANGED: Outcome = {
  kind: 'rejected',
  reason: 'Another change of the record was written while this import was running. Import the line again.',
};

async function begin(context: WriteContext, kind: DocumentKind, changes: readonly Change[]): Promise<Attempt<Content, KindName>> {
  const loaded = await loadSettled(context, kind, changes);
  const loadedAs = (name: RecordName) => loaded.get(nameOf(name, name.id));
  const presentAs = (name: RecordName) => {
    const record = loadedAs(name);
    return record?.state === 'present' ? record : undefined;
  };
  const writes = new Map<Change, RecordWrite>();
  const removals = new Map<Change, StoredRecord>();
  const requested: Change[] = [];
  return {
    stored: presentAs,
    put(change: Change) {
      const { institutionId, id, sequence } = change;
      const fields = change.content?.fields ?? {};
      const present = presentAs(change);
      const isUnchanged = present !== undefined && isDeepStrictEqual(present.fields, fields);
      requested.push(change);
      if (present !== undefined && isStored(change, present, isUnchanged)) return accepted;
      if (change.ifVersion !== undefined && change.ifVersion !== (present?.version ?? 0)) return CHANGED;
      const place = { after: loadedAs(change), state: 'present' as const, sequence: sequence ?? present?.sequence };
      const write = { institutionId, id, fields, ...place };
      writes.set(
        change,
        isUnchanged ? write : { ...write, event: context.events.changed(kind, { institutionId, id, fields }, present?.fields) },
      );
      return undefined;
    },
    remove(change: Change) {
      const present = presentAs(change);
      if (present === undefined) return accepted;
      removals.set(change, present);
      return undefined;
    },
    async save() {
      const isSaved =
        (await saveRecords(context, kind, [...writes.values()])) && (await removeRecords(context, kind, [...removals.values()]));
      if (kind === 'account') await forgetAccounts(context, requested);
      return isSaved ? allAccepted([...writes.keys(), ...removals.keys()]) : refuseTaken(context, kind, writes);
    },
  };
}

/**
 * Rejects new records whose id another institution uses. Other writes that lost the compare-and-set are tried again, also those of an id that
 * another institution has deleted a moment ago.
 */
async function refuseTaken(
  { records }: WriteContext,
  kind: DocumentKind,
  writes: ReadonlyMap<Change, RecordWrite>,
): Promise<Map<Change, Outcome>> {
  const created = [...writes].flatMap(([change, { after }]) => (after === undefined ? [change] : []));
  const taken = created.length === 0 ? new Map<string, string>() : await records.takenByOthers(kind, created);
  const refusals = created.map((change): [Change, Outcome | undefined] => {
    const institutionId = taken.get(change.id);
    return [change, institutionId === undefined ? undefined : obstacle(change, { institutionId, sequence: undefined })];
  });
  return new Map(refusals.flatMap(([change, refusal]) => (refusal === undefined ? [] : [[change, refusal] as const])));
}
