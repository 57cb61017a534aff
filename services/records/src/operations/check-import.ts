import { allAccepted, applyToOwnedKinds, type Attempt, type ImportOptions, type OwnedKind } from '@stechuhr/ingest';
import { kindNames, type Change, type Content, type KindName } from '../domain/kind.js';
import { kinds } from '../domain/kinds/index.js';
import { monthId } from '../domain/month.js';
import { nameOf } from '../domain/month-contents.js';
import { storedReferences } from './find-missing.js';
import { recordIngest, warningsAbout } from './ingest.js';
import { ImportedRecords } from './imported-records.js';
import { placeOf, placesOf } from './month-drafts.js';
import { refuseSecond } from './plan-workmonths.js';
import type { WriteContext } from './ports.js';

/**
 * Returns the options of an import that writes nothing. Each line is checked against the stored records as they would be after the lines
 * before it.
 */
export function recordCheck(context: WriteContext): ImportOptions<Content, KindName> {
  const imported = new ImportedRecords(context.records);
  const checked = kindNames.map((name) => checkedKind(context, imported, name));
  return {
    ...recordIngest(context),
    apply: applyToOwnedKinds({ kinds: checked, references: storedReferences(imported) }),
    finished: (byInstitution) => warningsAbout(imported, byInstitution),
  };
}

function checkedKind(context: WriteContext, imported: ImportedRecords, name: KindName): OwnedKind<Content, KindName> {
  return {
    kinds: [kinds[name]],
    async begin(changes: readonly Change[]) {
      if (name === 'workmonth') return beginWorkmonths(context, imported, changes);
      if (name === 'workday') return ofTrackedTime();
      const holders = await imported.holdersOf(name, changes);
      const holderOf = ({ institutionId, id, content }: Change) => {
        const holder = holders.get(id);
        // A deletion treats a record of another institution as missing.
        return content === null && holder !== institutionId ? undefined : holder;
      };
      return attempt(holderOf, (change) => imported.add(change));
    },
  };
}

/** Returns an attempt that notes its changes instead of writing them. */
function attempt(holderOf: (change: Change) => string | undefined, note: (change: Change) => void): Attempt<Content, KindName> {
  const planned: Change[] = [];
  const plan = (change: Change) => void planned.push(change);
  return {
    stored(change) {
      const institutionId = holderOf(change);
      return institutionId === undefined ? undefined : { institutionId, sequence: undefined };
    },
    put: plan,
    remove: plan,
    save() {
      for (const change of planned) note(change);
      return Promise.resolve(allAccepted(planned));
    },
  };
}

/**
 * Returns an attempt for workdays or workmonths. Their ids are unique only within an institution. Nothing refers to them, so none of their
 * changes is noted: an import may have millions.
 */
function ofTrackedTime(): Attempt<Content, KindName> {
  return attempt(
    ({ institutionId }) => institutionId,
    () => undefined,
  );
}

/** Begins an attempt for workmonths. It rejects a second record for the same month. */
async function beginWorkmonths(
  { months }: WriteContext,
  imported: ImportedRecords,
  changes: readonly Change[],
): Promise<Attempt<Content, KindName>> {
  const [heads, places] = [await months.loadHeads(placesOf(changes)), await months.placesOf('workmonth', changes)];
  const plain = ofTrackedTime();
  const leave = (change: Change, now: string | undefined) => {
    const { id } = change;
    const before = [...(places.get(nameOf(change, id)) ?? []), imported.monthOf(change)];
    for (const month of before) if (month !== undefined && month !== now && imported.recordOf(month, id) === id) imported.freeMonth(month);
  };
  return {
    ...plain,
    put(change) {
      const month = monthId(placeOf(change).address);
      const head = heads.get(month);
      const record = imported.recordOf(month, head?.gone === true ? undefined : head?.record?.id);
      const refusal = refuseSecond(record, change.id);
      if (refusal !== undefined) return refusal;
      leave(change, month);
      imported.setRecord(month, change);
      return plain.put(change);
    },
    remove(change) {
      leave(change, undefined);
      return plain.remove(change);
    },
  };
}
