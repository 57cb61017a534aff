import type { StreamRange } from '@stechuhr/bus';
import { MAX_EXAMPLES, type Inspection, type Logger } from '@stechuhr/kernel';
import type { Collection } from 'mongoose';
import {
  continuationOf,
  isGivenAgain,
  isOlderCopy,
  positionOf,
  unseenBefore,
  type Continuation,
  type Gap,
  type Place,
  type Seen,
} from '../domain/stream-clock.js';
import type { IngestClock } from '../operations/ports.js';
import type { Documents } from './collections.js';

/** What was seen of the stream of live objects, kept with the records that carry positions in it: a backup holds both or neither. */
interface ClockDocument {
  readonly _id: string;
  readonly highest: number;
  readonly stored_at: Date;
  readonly continuations: readonly Continuation[];
  /** For operators, until they have seen to them; absent where there were none. */
  readonly gaps?: readonly Gap[];
  readonly revision: number;
}

const ID = 'ingest';

export function createIngestClock(collection: Collection, logger: Logger): IngestClock {
  const clock = collection as unknown as Documents<ClockDocument>;
  /** What had been seen when the consumer began. */
  let begun: Begun | undefined;
  let continuations: readonly Continuation[] = [];
  let arrived: Pick<Seen, 'highest' | 'storedAt'> = { highest: 0, storedAt: new Date(0) };
  let stored = 0;
  let storing: Promise<void> | undefined;
  let mending: Promise<void> | undefined;

  const isDoubtful = (place: Place): boolean => begun !== undefined && isGivenAgain(place, { ...begun.seen, continuations });
  const note = (place: Place): number => {
    const position = positionOf(place, continuations);
    const storedAt = place.storedAt > arrived.storedAt ? place.storedAt : arrived.storedAt;
    arrived = { highest: Math.max(arrived.highest, position), storedAt };
    return position;
  };
  /** One write for everything that has arrived until then. */
  const store = async (): Promise<void> => {
    const { highest, storedAt } = arrived;
    await clock.updateOne({ _id: ID }, { $max: { highest, stored_at: storedAt } });
    stored = Math.max(stored, highest);
  };
  const mend = async ({ seen, stream }: Begun, isNeeded: (now: Seen) => boolean): Promise<void> => {
    for (;;) {
      const { highest, revision, continuations: known } = await read(clock, stream);
      continuations = known;
      stored = Math.max(stored, highest);
      if (!isNeeded({ ...seen, highest, continuations })) return;
      const continuation = continuationOf({ ...seen, highest, continuations }, stream);
      // What the copy does not have any more cannot be told from what there never was.
      const gap: Gap = { after: highest, before: highest + 1, since: seen.storedAt };
      const change = { $push: { continuations: continuation, gaps: gap }, $inc: { revision: 1 } };
      const { matchedCount } = await clock.updateOne({ _id: ID, revision }, change);
      if (matchedCount === 1) logger.warn({ ...continuation, highest }, 'an older copy took the place of the stream of live objects');
    }
  };
  return {
    async begin(look) {
      begun = await lookAround(clock, look, logger);
      const { seen, stream } = begun;
      await mend(begun, ({ continuations: now }) => isOlderCopy({ ...seen, continuations: now }, stream));
    },
    arrived(place) {
      if (!isDoubtful(place)) note(place);
    },
    async positionOf(place) {
      while (begun !== undefined && isDoubtful(place)) {
        const { seen } = begun;
        mending ??= mend(begun, (now) => isGivenAgain(place, { ...seen, continuations: now.continuations })).finally(
          () => (mending = undefined),
        );
        await mending;
      }
      const position = note(place);
      while (stored < position) {
        storing ??= store().finally(() => (storing = undefined));
        await storing;
      }
      return position;
    },
  };
}

interface Begun {
  readonly seen: Seen;
  readonly stream: StreamRange;
}

/**
 * Other processes handle messages meanwhile. What has left the stream by now is noted by then; and what is noted by now is in the stream by
 * then: so the one is asked before the clock is read, the other after it.
 */
async function lookAround(clock: Documents<ClockDocument>, look: () => Promise<StreamRange>, logger: Logger): Promise<Begun> {
  const before = await look();
  await noteUnseen(clock, before, logger);
  const { highest, stored_at: storedAt, continuations } = await read(clock, before);
  return { seen: { highest, storedAt, continuations }, stream: await look() };
}

/** Several processes may find the same gap: one of them notes it. */
async function noteUnseen(clock: Documents<ClockDocument>, stream: StreamRange, logger: Logger): Promise<void> {
  const { highest, stored_at: storedAt, continuations, revision } = await read(clock, stream);
  const gap = unseenBefore({ highest, storedAt, continuations }, stream);
  if (gap === undefined) return;
  const change = { $max: { highest: gap.before - 1 }, $push: { gaps: gap }, $inc: { revision: 1 } };
  const { matchedCount } = await clock.updateOne({ _id: ID, revision }, change);
  if (matchedCount === 1) logger.error({ ...gap }, 'live objects have left the stream that this database has not seen');
}

/** The first process begins where the stream is: nothing was noted before. */
async function read(clock: Documents<ClockDocument>, { lastSequence, lastStoredAt }: StreamRange): Promise<ClockDocument> {
  const first = { highest: lastSequence, stored_at: lastStoredAt, continuations: [], revision: 0 };
  await clock.updateOne({ _id: ID }, { $setOnInsert: first }, { upsert: true });
  const found = await clock.findOne({ _id: ID });
  if (found === null) throw new Error('The clock of live objects is gone.');
  return found;
}

/** What operators can have looked for: after a restore, or the loss of the stream, live objects may have to be sent again. */
export function unseenLiveObjects(collection: Collection): Inspection {
  const clock = collection as unknown as Documents<ClockDocument>;
  return {
    check: 'unseen-live-objects',
    place: collection.name,
    async look({ repair }) {
      const gaps = (await clock.findOne({ _id: ID }))?.gaps ?? [];
      const examples = gaps.slice(0, MAX_EXAMPLES).map(({ since }) => `since ${since.toISOString()}`);
      if (repair && gaps.length > 0)
        await clock.updateOne({ _id: ID }, { $pull: { gaps: { after: { $in: gaps.map(({ after }) => after) } } } });
      return { count: gaps.length, examples, repaired: repair ? gaps.length : 0 };
    },
  };
}
