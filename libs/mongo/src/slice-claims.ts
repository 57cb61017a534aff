import type { IdRange, SliceClaims } from '@stechuhr/bus';
import { newId } from '@stechuhr/kernel';
import type { Collection } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.js';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** A slice that a process works on. */
interface ClaimedSlice extends IdRange {
  readonly id: string;
  /** Then another process may take it. */
  readonly until: Date;
}

/** How far a range is handed out; `_id` is its name. */
interface RangeDocument extends StringIdDocument {
  /** Grows with each slice that is handed out. */
  readonly version: number;
  /** Where the next slice begins. */
  readonly after: string;
  readonly slices: readonly ClaimedSlice[];
}

/** What a write does with a range: a slice takes the place of a lost one or is added, and the next one begins elsewhere. */
interface RangeChange {
  readonly lost?: ClaimedSlice;
  readonly taken?: ClaimedSlice;
  readonly after?: string;
}

const LEASE_MS = 30_000;
const MAX_TRIES = 20;
/** Of one range at a time: more processes than that do not help. */
const MAX_SLICES = 64;

/**
 * Shares the work on ordered ranges between processes: each takes the next slice under a lease, and that of a process which was killed is
 * handed out again. What stayed behind in finished slices comes up again when the end of the range was reached.
 *
 * @param leaseMs how long a process has for a slice
 */
export function sliceClaims(collection: Collection, leaseMs = LEASE_MS): SliceClaims {
  const ranges = withStringIds<RangeDocument>(collection);
  // Slices are changed one by one: the others may have been done since the range was read.
  const write = async ({ _id, version }: RangeDocument, { lost, after, taken }: RangeChange): Promise<boolean> => {
    try {
      const next = { version: version + 1, ...(after !== undefined && { after }) };
      const { matchedCount, upsertedCount } = await (lost === undefined
        ? ranges.updateOne({ _id, version }, { $set: next, ...(taken && { $push: { slices: taken } }) }, { upsert: version === 0 })
        : ranges.updateOne({ _id, version, 'slices.id': lost.id }, { $set: { ...next, 'slices.$': taken } }));
      return matchedCount + upsertedCount === 1;
    } catch (caught) {
      if (isDuplicateKey(caught)) return false;
      throw caught;
    }
  };
  const held = ({ id, after, upTo }: ClaimedSlice, name: string) => ({
    after,
    upTo,
    async done() {
      await ranges.updateOne({ _id: name }, { $pull: { slices: { id } } });
    },
  });
  return {
    async take(name, lastAfter) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const range = (await ranges.findOne({ _id: name })) ?? { _id: name, version: 0, after: '', slices: [] };
        const { after, slices } = range;
        const now = Date.now();
        const until = new Date(now + leaseMs);
        const lost = slices.find((slice) => isLost(slice, now, leaseMs));
        if (lost !== undefined) {
          const taken = { ...lost, id: newId(), until };
          if (await write(range, { lost, taken })) return held(taken, name);
          continue;
        }
        const upTo = slices.length < MAX_SLICES ? await lastAfter(after) : undefined;
        if (upTo === undefined) {
          // What is behind now is looked at from the beginning, but not by this run, which could go on forever.
          if (after !== '' && slices.length === 0) await write(range, { after: '' });
          return undefined;
        }
        const taken = { id: newId(), after, upTo, until };
        if (await write(range, { after: upTo, taken })) return held(taken, name);
      }
      return undefined;
    },
  };
}

/** It ran out, or was taken by a process whose clock was ahead: nobody may hold one for so long. */
function isLost({ until }: ClaimedSlice, now: number, leaseMs: number): boolean {
  const leftMs = until.getTime() - now;
  return leftMs <= 0 || leftMs > 2 * leaseMs;
}

/** A claim that nobody has taken over since it ran out: nothing has been due since. */
interface ExpiredSlice {
  /** The name of the range. */
  readonly range: string;
  /** @returns false where somebody has taken it over meanwhile */
  remove(): Promise<boolean>;
}

/** The claims that had run out by then. */
export async function expiredSlices(collection: Collection, before: Date): Promise<readonly ExpiredSlice[]> {
  const ranges = withStringIds<RangeDocument>(collection);
  const found = await ranges.find({}).toArray();
  return found.flatMap(({ _id, slices }) =>
    slices
      .filter(({ until }) => until < before)
      .map(({ id }) => ({
        range: _id,
        // The range begins anew: what the lost slice held is looked at again.
        remove: async () => (await ranges.updateOne({ _id, 'slices.id': id }, { $pull: { slices: { id } } })).modifiedCount === 1,
      })),
  );
}
