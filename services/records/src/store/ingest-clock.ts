import type { StreamRange } from '@stechuhr/bus';
import { streams } from '@stechuhr/contracts';
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

/**
 * What all processes together have received from one stream of live objects. It is stored in the same database as the records, which contain
 * stream positions, so that a backup contains both or neither.
 */
interface ClockDocument {
  readonly _id: string;
  /** The highest position of a received message. */
  readonly highest: number;
  /** When the newest received message was stored in the stream. */
  readonly stored_at: Date;
  readonly continuations: readonly Continuation[];
  /** Gaps that operators have not acknowledged yet. Absent if there were none. */
  readonly gaps?: readonly Gap[];
  /** Grows with each added continuation or gap. */
  readonly revision: number;
}

type Clocks = Documents<ClockDocument>;

const FIRST = streams.ingest.name;

/** The id of the clock of a stream; that of the first one is older than partitions. */
const idOf = (stream: string): string => (stream === FIRST ? 'ingest' : stream);

/** Creates the clocks of live objects for one process, one for each partition. */
export function createIngestClock(collection: Collection, logger: Logger): IngestClock {
  const clocks = new Map<string, StreamClock>();
  const clockOf = (stream: string): StreamClock => {
    const known = clocks.get(stream) ?? new StreamClock(stream, collection as unknown as Clocks, logger);
    clocks.set(stream, known);
    return known;
  };
  return {
    begin: (stream, readRange) => clockOf(stream).begin(readRange),
    arrived: (place) => clockOf(place.stream).arrived(place),
    positionOf: (place) => clockOf(place.stream).positionOf(place),
  };
}

/** The state of the stream and of the clock when this process began to consume. */
interface Beginning {
  readonly seen: Seen;
  readonly stream: StreamRange;
}

class StreamClock {
  #beginning: Beginning | undefined;
  #continuations: readonly Continuation[] = [];
  /** What this process has received so far. */
  #arrived: Pick<Seen, 'highest' | 'storedAt'> = { highest: 0, storedAt: new Date(0) };
  /** The highest position that is stored as received, as far as this process knows. */
  #storedHighest = 0;
  #storing: Promise<void> | undefined;
  #continuing: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly clocks: Clocks,
    private readonly logger: Logger,
  ) {}

  async begin(readStream: () => Promise<StreamRange>): Promise<void> {
    const beginning = await this.#compareWithStream(readStream);
    this.#beginning = beginning;
    await this.#continueWhile(beginning, (now) => isOlderCopy({ ...beginning.seen, continuations: now.continuations }, beginning.stream));
  }

  arrived(place: Place): void {
    if (this.#beginning === undefined || !this.#hasUsedPosition(place, this.#beginning)) this.#noteArrival(place);
  }

  async positionOf(place: Place): Promise<number> {
    // Messages are handled in parallel: one write adds the continuation for all that need it.
    while (this.#beginning !== undefined && this.#hasUsedPosition(place, this.#beginning))
      await (this.#continuing ??= this.#continueFor(place, this.#beginning).finally(() => (this.#continuing = undefined)));
    const position = this.#noteArrival(place);
    // One write stores the positions of all messages that have arrived so far.
    while (this.#storedHighest < position) await (this.#storing ??= this.#storeArrived().finally(() => (this.#storing = undefined)));
    return position;
  }

  /** Returns whether a message is new but has a position that was already assigned, which means that an older copy replaced the stream. */
  #hasUsedPosition(place: Place, { seen }: Beginning): boolean {
    return isGivenAgain(place, { ...seen, continuations: this.#continuations });
  }

  #noteArrival(place: Place): number {
    const position = positionOf(place, this.#continuations);
    const { highest, storedAt } = this.#arrived;
    this.#arrived = { highest: Math.max(highest, position), storedAt: place.storedAt > storedAt ? place.storedAt : storedAt };
    return position;
  }

  async #storeArrived(): Promise<void> {
    const { highest, storedAt } = this.#arrived;
    await this.clocks.updateOne({ _id: idOf(this.name) }, { $max: { highest, stored_at: storedAt } });
    this.#storedHighest = Math.max(this.#storedHighest, highest);
  }

  #continueFor(place: Place, beginning: Beginning): Promise<void> {
    return this.#continueWhile(beginning, (now) => isGivenAgain(place, { ...beginning.seen, continuations: now.continuations }));
  }

  /** Adds a continuation if one is needed. If another process adds one first, the clock is read again. */
  async #continueWhile({ seen, stream }: Beginning, isNeeded: (now: Seen) => boolean): Promise<void> {
    for (;;) {
      const { highest, revision, continuations } = await this.#read(stream);
      this.#continuations = continuations;
      this.#storedHighest = Math.max(this.#storedHighest, highest);
      const now = { ...seen, highest, continuations };
      if (!isNeeded(now)) return;
      const continuation = continuationOf(now, stream);
      // It cannot be determined which messages the copy lacks, so operators get a gap after everything received so far.
      const gap: Gap = { after: highest, before: highest + 1, since: seen.storedAt };
      const change = { $push: { continuations: continuation, gaps: gap }, $inc: { revision: 1 } };
      const { matchedCount } = await this.clocks.updateOne({ _id: idOf(this.name), revision }, change);
      if (matchedCount === 1)
        this.logger.warn({ stream: this.name, ...continuation, highest }, 'an older copy took the place of the stream of live objects');
    }
  }

  /**
   * Compares the clock with the stream while other processes continue to handle messages. Positions are stored before messages leave the
   * stream. To find messages that left it without having been received, the stream is therefore read before the clock. To find an older copy,
   * it is read again after the clock, so that it contains everything that the clock has stored.
   */
  async #compareWithStream(readStream: () => Promise<StreamRange>): Promise<Beginning> {
    const before = await readStream();
    await this.#noteUnseen(before);
    const { highest, stored_at: storedAt, continuations } = await this.#read(before);
    return { seen: { highest, storedAt, continuations }, stream: await readStream() };
  }

  /** Stores a gap, if there is one. Several processes may find the same gap; only one of them stores it. */
  async #noteUnseen(stream: StreamRange): Promise<void> {
    const { highest, stored_at: storedAt, continuations, revision } = await this.#read(stream);
    const gap = unseenBefore({ highest, storedAt, continuations }, stream);
    if (gap === undefined) return;
    const change = { $max: { highest: gap.before - 1 }, $push: { gaps: gap }, $inc: { revision: 1 } };
    const { matchedCount } = await this.clocks.updateOne({ _id: idOf(this.name), revision }, change);
    if (matchedCount === 1)
      this.logger.error({ stream: this.name, ...gap }, 'live objects have left the stream that this database has not seen');
  }

  /**
   * Reads the clock. The very first process creates that of the first stream at its end, since nothing was received before. Further streams
   * are younger than the database, so their clocks begin with them: if one has none, the database was restored from a backup of before.
   */
  async #read({ lastSequence, lastStoredAt, initialSequence, createdAt }: StreamRange): Promise<ClockDocument> {
    const seen =
      this.name === FIRST ? { highest: lastSequence, stored_at: lastStoredAt } : { highest: initialSequence - 1, stored_at: createdAt };
    const first = { ...seen, continuations: [], revision: 0 };
    await this.clocks.updateOne({ _id: idOf(this.name) }, { $setOnInsert: first }, { upsert: true });
    const found = await this.clocks.findOne({ _id: idOf(this.name) });
    if (found === null) throw new Error('The clock of live objects is gone.');
    return found;
  }
}

/**
 * Reports gaps to operators: after a restore or the loss of the stream, live objects may have to be sent again. A repair acknowledges the
 * gaps.
 */
export function unseenLiveObjects(collection: Collection): Inspection {
  const clocks = collection as unknown as Clocks;
  return {
    check: 'unseen-live-objects',
    place: collection.name,
    async inspect({ repair }) {
      const behind = await clocks.find({ 'gaps.0': { $exists: true } }).toArray();
      const gaps = behind.flatMap((clock) => clock.gaps ?? []);
      const examples = gaps.slice(0, MAX_EXAMPLES).map(({ since }) => `since ${since.toISOString()}`);
      for (const { _id, gaps: own = [] } of repair ? behind : [])
        await clocks.updateOne({ _id }, { $pull: { gaps: { after: { $in: own.map(({ after }) => after) } } } });
      return { count: gaps.length, examples, repaired: repair ? gaps.length : 0 };
    },
  };
}
