import type { IdRange, OutboxStore, OwnEvent, SliceClaims } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';

const pending = ([docId, events]: readonly [string, readonly CloudEvent[]]) => ({
  docId,
  institutionId: undefined,
  events: [...events],
  isDeleted: false,
});

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
    within: async ({ after, upTo }: IdRange, limit: number) =>
      [...documents]
        .filter(([, events]) => events.some(({ id }) => id > after && id <= upTo))
        .slice(0, limit)
        .map(pending),
    idsWithin: async ({ after, upTo }: IdRange, limit: number) =>
      [...documents.values()]
        .map((events) => events.map(({ id }) => id))
        .filter((ids) => ids.some((id) => id > after && id <= upTo))
        .slice(0, limit),
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
