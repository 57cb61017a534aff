import { firstIdAt, MAX_EXAMPLES, RemainsCounter, type Inspection } from '@stechuhr/kernel';
import type { Collection } from 'mongoose';
import type { DocumentOutbox, OutboxEvent } from './outbox.js';
import { expiredSlices } from './slice-claims.js';

/** Returns the inspections for leftovers in collections with outboxes, and in the claims on their sweeps. */
export function outboxInspections(boxes: readonly DocumentOutbox<OutboxEvent>[], claims?: Collection): readonly Inspection[] {
  return [...boxes.flatMap(ofOutbox), ...(claims === undefined ? [] : [ofClaims(claims)])];
}

function ofOutbox(box: DocumentOutbox<OutboxEvent>): readonly Inspection[] {
  return [
    {
      check: 'half-deleted',
      place: box.name,
      async inspect({ repair }) {
        const { count, ids } = await box.remains(MAX_EXAMPLES);
        return { count, examples: ids, repaired: repair && count > 0 ? await box.removeRemains() : 0 };
      },
    },
    {
      // Not repaired here: the relay publishes the events by itself as soon as it can.
      check: 'unpublished-events',
      place: box.name,
      async inspect({ olderThanMs }) {
        const range = { after: '', upTo: firstIdAt(Date.now() - olderThanMs) };
        const count = await box.countWithin(range);
        const some = count === 0 ? [] : await box.within(range, MAX_EXAMPLES);
        return { count, examples: some.map(({ docId }) => docId), repaired: 0 };
      },
    },
  ];
}

function ofClaims(claims: Collection): Inspection {
  return {
    check: 'expired-claims',
    place: claims.name,
    async inspect({ olderThanMs, repair }) {
      const found = new RemainsCounter();
      for (const slice of await expiredSlices(claims, new Date(Date.now() - olderThanMs))) {
        found.add(slice.range);
        // Removing the claim loses no work: the next sweep of the range covers it.
        if (repair && (await slice.remove())) found.repaired += 1;
      }
      return found;
    },
  };
}
