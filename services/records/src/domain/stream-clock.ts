/** The position of a message in the stream of live objects. */
export interface Place {
  readonly streamSequence: number;
  readonly storedAt: Date;
}

/**
 * From where on the stream continues an older copy of itself, for example after a restore: its sequences were used before, for messages that the copy
 * does not contain.
 */
export interface Continuation {
  /** Messages stored later, or with a higher sequence, belong to the continuation. */
  readonly since: Date;
  readonly after: number;
  /** Added to the sequences of the continuation, so that they are above all that were seen before. */
  readonly offset: number;
}

/** What has been seen of the stream so far. */
export interface Seen {
  /** The highest position. */
  readonly highest: number;
  /** When the newest message was stored. */
  readonly storedAt: Date;
  /** Oldest first. */
  readonly continuations: readonly Continuation[];
}

/** The clocks of servers that lead a stream one after the other may differ by some seconds. */
const SKEW_MS = 60_000;

/**
 * The position of a message among all live objects: of two writes of a record, the one with the higher position wins. It is the sequence in the
 * stream, plus an offset once an older copy of the stream has taken its place.
 */
export function positionOf({ streamSequence, storedAt }: Place, continuations: readonly Continuation[]): number {
  const at = storedAt.getTime();
  const latest = continuations.findLast(({ since, after }) => {
    const begin = since.getTime();
    return at > begin || (streamSequence > after && at > begin - SKEW_MS);
  });
  return streamSequence + (latest?.offset ?? 0);
}

/** The range of messages that the server has. */
export interface StreamRange {
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/** The offset that is needed because sequences of the stream were used before: otherwise new messages would count as older than what is stored. */
export function continuationOf({ highest, storedAt }: Seen, { firstSequence, lastSequence }: StreamRange): Continuation {
  return { since: storedAt, after: lastSequence, offset: highest + 1 - firstSequence };
}

/** Whether the stream ends before what was seen of it. */
export function isOlderCopy({ highest, continuations }: Seen, { lastSequence }: StreamRange): boolean {
  return lastSequence + (continuations.at(-1)?.offset ?? 0) < highest;
}

/** Whether a message was stored after everything seen so far and still has a position that was used before. */
export function isGivenAgain(place: Place, { highest, storedAt, continuations }: Seen): boolean {
  return place.storedAt > storedAt && positionOf(place, continuations) <= highest;
}

/** Live objects that this database never saw and that are no longer in the stream. */
export interface Gap {
  /** Between these positions, both exclusive. */
  readonly after: number;
  readonly before: number;
  /** They were sent after that time. */
  readonly since: Date;
}

/**
 * The positions that left the stream without having been seen, which is noted before a message is handled. Either the database was restored from a
 * backup older than the stream, or the stream has lost its store.
 */
export function unseenBefore({ highest, storedAt, continuations }: Seen, { firstSequence }: StreamRange): Gap | undefined {
  const before = firstSequence + (continuations.at(-1)?.offset ?? 0);
  return before > highest + 1 ? { after: highest, before, since: storedAt } : undefined;
}
