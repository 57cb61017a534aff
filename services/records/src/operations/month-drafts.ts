import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Change, Fields } from '../domain/kind.js';
import { MonthDraft, type MonthWrite } from '../domain/month-draft.js';
import { monthId, type MonthAddress, type StoredMonth } from '../domain/month.js';
import type { WriteContext } from './ports.js';

/** The drafts of a batch, one for each month that it writes. */
export class MonthDrafts {
  private readonly stored: Map<string, StoredMonth>;
  private readonly drafts = new Map<string, MonthDraft<CloudEvent>>();

  /** @param whole months that were read with their workdays; they take precedence over heads, because they were read later */
  constructor(heads: ReadonlyMap<string, StoredMonth>, whole: readonly StoredMonth[]) {
    this.stored = new Map([...heads, ...whole.map((month) => [monthId(month.address), month] as const)]);
  }

  of(address: MonthAddress): MonthDraft<CloudEvent> {
    const id = monthId(address);
    const draft = this.drafts.get(id) ?? new MonthDraft<CloudEvent>(address, this.stored.get(id));
    this.drafts.set(id, draft);
    return draft;
  }

  /** Writes all changed drafts. @returns false if one of them lost the compare-and-set */
  async save({ months, notifyOutbox }: WriteContext): Promise<boolean> {
    const writes = [...this.drafts.values()].filter((draft) => draft.isTouched).map((draft) => draft.write());
    if (writes.length === 0) return true;
    const saved = await months.save(writes);
    // If one write lost, it is unknown which one.
    notifyOutbox('workmonth', saved ? writes.map(written) : writes);
    return saved;
  }
}

function written({ address, after, gone, events }: MonthWrite<CloudEvent>): WrittenEvents {
  // The version has not changed since the month was read, so no other event was added to the outbox.
  const isAlone = after?.eventsWait !== true && !gone;
  return { events, ...(isAlone && { alone: { docId: monthId(address), institutionId: address.institutionId } }) };
}

/** Returns the month to which a change of tracked time belongs, and its fields. */
export function placeOf({ institutionId, content }: Change): { address: MonthAddress; fields: Fields } {
  if (content?.placement === undefined) throw new Error('The change has no month.');
  return { address: { institutionId, ...content.placement }, fields: content.fields };
}

/** Returns the months to which changes belong. Deletions name no month and are skipped. */
export function placesOf(changes: readonly Change[]): MonthAddress[] {
  return changes.filter(({ content }) => content !== null).map((change) => placeOf(change).address);
}
