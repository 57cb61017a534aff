import type { IdRange, OutboxStore, OwnEvent, SliceClaims } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';

const pending = ([docId, events]: readonly [string, readonly CloudEvent[]]) => ({
  docId,
  institutionId: undefined,
  events: [...events],
  isDeleted: false,
});

/** The documents with an event in the range, in the order of an index over the ids: that of the first of these events. */
function inOrder(documents: ReadonlyMap<string, readonly CloudEvent[]>, { after, upTo }: IdRange): [string, readonly CloudEvent[]][] {
  const firstIn = (events: readonly CloudEvent[]): string | undefined =>
    events
      .map(({ id }) => id)
      .filter((id) => id > after && id <= upTo)
      .sort()[0];
  return [...documents]
    .map(([docId, events]) => ({ document: [docId, events] as [string, readonly CloudEvent[]], id: firstIn(events) ?? '' }))
    .filter(({ id }) => id !== '')
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ document }) => document);
}

/** An outbox in memory; the one over MongoDB is tested in libs/mongo. */
export type MemoryOutbox = OutboxStore & { readonly documents: Map<string, CloudEvent[]> };

/** An outbox of these documents, by id. */
export function memoryOutbox(documents = new Map<string, CloudEvent[]>()): MemoryOutbox {
  return {
    name: 'memory',
    documents,
    holding: async (wanted: readonly OwnEvent[]) => {
      const ids = new Set(wanted.map(({ id }) => id));
      return [...documents].filter(([, events]) => events.some(({ id }) => ids.has(id))).map(pending);
    },
    within: async (range: IdRange, limit: number) => inOrder(documents, range).slice(0, limit).map(pending),
    idsWithin: async (range: IdRange, limit: number) =>
      inOrder(documents, range)
        .slice(0, limit)
        .map(([, events]) => events.map(({ id }) => id)),
    count: async () => [...documents.values()].filter((events) => events.length > 0).length,
    published: async (published: readonly { docId: string; eventIds: string[] }[]) => {
      for (const { docId, eventIds } of published) {
        const events = documents.get(docId) ?? [];
        documents.set(
          docId,
          events.filter(({ id }) => !eventIds.includes(id)),
        );
      }
    },
  };
}

/** Claims for a single process. */
export const soleClaims = (): SliceClaims => {
  let at = '';
  return {
    async take(_name, lastAfter) {
      const [after, upTo] = [at, await lastAfter(at)];
      at = upTo ?? '';
      return upTo === undefined ? undefined : { after, upTo, done: async () => undefined };
    },
  };
};
