/** The position of a message in the stream of live objects. */
export interface Place {
  readonly streamSequence: number;
  readonly storedAt: Date;
}

/**
 * Marks where the stream continues an older copy of itself, for example a restored backup. The server assigns sequences again that it had
 * already given to messages that the copy does not contain.
 */
export interface Continuation {
  /** Messages that were stored after `since`, or whose sequence is above `after`, are new. */
  readonly since: Date;
  readonly after: number;
  /** Added to the sequences of new messages, so that their positions are above all positions seen before. */
  readonly offset: number;
}

/** What has been received from the stream so far. */
export interface Seen {
  /** The highest position that was received. */
  readonly highest: number;
  /** When the newest message was stored. */
  readonly storedAt: Date;
  /** In the order in which they occurred, the oldest first. */
  readonly continuations: readonly Continuation[];
}

/** Tolerance for clock differences between servers that successively lead a stream, which may exceed a second. */
const SKEW_MS = 60_000;

/**
 * Returns the position of a message in the order of all live objects: of two writes of a record, the one with the higher position wins. The
 * position equals the stream sequence until an older copy replaces the stream.
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

/**
 * Returns the continuation to add when the server assigns sequences again. Without it, new messages would count as older than the stored
 * records.
 */
export function continuationOf({ highest, storedAt }: Seen, { firstSequence, lastSequence }: StreamRange): Continuation {
  return { since: storedAt, after: lastSequence, offset: highest + 1 - firstSequence };
}

/** Returns whether the stream ends before the highest position that was received from it. */
export function isOlderCopy({ highest, continuations }: Seen, { lastSequence }: StreamRange): boolean {
  return lastSequence + (continuations.at(-1)?.offset ?? 0) < highest;
}

/** Returns whether a message was stored after everything received so far but has a position that was already assigned. */
export function isGivenAgain(place: Place, { highest, storedAt, continuations }: Seen): boolean {
  return place.storedAt > storedAt && positionOf(place, continuations) <= highest;
}

/** Live objects that this database never received and that the stream no longer contains. */
export interface Gap {
  /** The missing positions lie between `after` and `before`, both excluded. */
  readonly after: number;
  readonly before: number;
  /** The missing objects were sent after this time. */
  readonly since: Date;
}

/**
 * Returns the gap of messages that left the stream without having been received. The position of a message is stored before the message is
 * handled, so a gap means one of two things: the database was restored from a backup and is older than the stream, or the stream lost its
 * storage.
 */
export function unseenBefore({ highest, storedAt, continuations }: Seen, { firstSequence }: StreamRange): Gap | undefined {
  const before = firstSequence + (continuations.at(-1)?.offset ?? 0);
  return before > highest + 1 ? { after: highest, before, since: storedAt } : undefined;
}
