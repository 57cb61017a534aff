import type { IdRange, SliceClaims } from '@stechuhr/bus';
import { newId } from '@stechuhr/kernel';
import type { Collection } from 'mongoose';
import { isDuplicateKey } from './failed-writes.js';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** A slice that a process is working on. */
interface ClaimedSlice extends IdRange {
  readonly id: string;
  /** When another process may take it over. */
  readonly until: Date;
}

/** The state of a range: how far it has been handed out. `_id` is its name. */
interface RangeDocument extends StringIdDocument {
  /** Incremented with each slice that is handed out. */
  readonly version: number;
  /** Start of the next slice (exclusive). */
  readonly after: string;
  readonly slices: readonly ClaimedSlice[];
}

/** A change of a range: a new slice is added or replaces an abandoned one, and the start of the next slice moves. */
interface RangeChange {
  readonly lost?: ClaimedSlice;
  readonly taken?: ClaimedSlice;
  readonly after?: string;
}

const LEASE_MS = 30_000;
const MAX_TRIES = 20;
/** Maximum number of concurrent slices of a range; more processes than that do not help. */
const MAX_SLICES = 64;

type Ranges = Collection<RangeDocument>;

/**
 * Distributes the work on ordered ranges between processes. Each process takes the next slice under a lease; the slice of a process that
 * was killed is handed out again. Work that a finished slice left undone is found in the next pass, which begins when the end of the range
 * is reached.
 *
 * @param leaseMs how long a process may work on a slice, in milliseconds
 */
export function sliceClaims(collection: Collection, leaseMs = LEASE_MS): SliceClaims {
  const ranges = withStringIds<RangeDocument>(collection);
  const claimed = (name: string, { id, after, upTo }: ClaimedSlice) => ({
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
        const change = await nextChange(range, leaseMs, lastAfter);
        if (change === undefined) return undefined;
        const isWritten = await write(ranges, range, change);
        if (change.taken === undefined) return undefined;
        if (isWritten) return claimed(name, change.taken);
      }
      return undefined;
    },
  };
}

/**
 * Decides what a process that looks for work does with a range: it takes over an abandoned slice, takes the next slice, or restarts a range
 * whose end has been reached. The process that restarts a range takes no slice; otherwise it could go on forever.
 *
 * @returns undefined when there is nothing to do
 */
async function nextChange(
  { after, slices }: RangeDocument,
  leaseMs: number,
  lastAfter: Parameters<SliceClaims['take']>[1],
): Promise<RangeChange | undefined> {
  const now = Date.now();
  const claim = { id: newId(), until: new Date(now + leaseMs) };
  const lost = slices.find((slice) => isLost(slice, now, leaseMs));
  if (lost !== undefined) return { lost, taken: { ...lost, ...claim } };
  const upTo = slices.length < MAX_SLICES ? await lastAfter(after) : undefined;
  if (upTo !== undefined) return { after: upTo, taken: { ...claim, after, upTo } };
  return after !== '' && slices.length === 0 ? { after: '' } : undefined;
}

/** Writes a change of a range. @returns false if another process has changed the range since it was read */
async function write(ranges: Ranges, { _id, version }: RangeDocument, { lost, after, taken }: RangeChange): Promise<boolean> {
  const next = { version: version + 1, ...(after !== undefined && { after }) };
  try {
    // Only this slice is written: other slices may have been finished since the range was read.
    const { matchedCount, upsertedCount } = await (lost === undefined
      ? ranges.updateOne({ _id, version }, { $set: next, ...(taken && { $push: { slices: taken } }) }, { upsert: version === 0 })
      : ranges.updateOne({ _id, version, 'slices.id': lost.id }, { $set: { ...next, 'slices.$': taken } }));
    return matchedCount + upsertedCount === 1;
  } catch (caught) {
    if (isDuplicateKey(caught)) return false;
    throw caught;
  }
}

/** Whether a lease has expired, or ends so far in the future that it was written by a process whose clock is ahead. */
function isLost({ until }: ClaimedSlice, now: number, leaseMs: number): boolean {
  const leftMs = until.getTime() - now;
  return leftMs <= 0 || leftMs > 2 * leaseMs;
}

/** An expired claim that no process took over, because there was no more work. */
interface ExpiredSlice {
  /** The name of the range. */
  readonly range: string;
  /** Removes the claim. @returns false if a process has taken it over meanwhile */
  remove(): Promise<boolean>;
}

/** Returns the claims that expired before an instant. */
export async function expiredSlices(collection: Collection, before: Date): Promise<readonly ExpiredSlice[]> {
  const ranges = withStringIds<RangeDocument>(collection);
  const found = await ranges.find({}).toArray();
  return found.flatMap(({ _id, slices }) =>
    slices
      .filter(({ until }) => until < before)
      .map(({ id }) => ({
        range: _id,
        // Its work is found when the range is restarted.
        remove: async () => (await ranges.updateOne({ _id, 'slices.id': id }, { $pull: { slices: { id } } })).modifiedCount === 1,
      })),
  );
}
