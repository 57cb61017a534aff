/** A message of the stream of live objects. */
export interface Place {
  readonly streamSequence: number;
  readonly storedAt: Date;
}

/**
 * From where on the stream is a continuation of an older copy of itself: its sequences were given before, to messages that only the copy
 * does not know.
 */
export interface Continuation {
  /** Messages stored later, or with a sequence above it, are new. */
  readonly since: Date;
  readonly after: number;
  /** Is added to the sequences of new ones, which puts them above all that were seen before. */
  readonly offset: number;
}

/** What was seen of the stream so far. */
export interface Seen {
  /** The highest position. */
  readonly highest: number;
  /** When the newest message was stored. */
  readonly storedAt: Date;
  /** The oldest first. */
  readonly continuations: readonly Continuation[];
}

/** Servers that follow each other as leaders of a stream do not agree on the time to the second. */
const SKEW_MS = 60_000;

/**
 * The position of a message among all live objects: of two writes of a record the one with the higher position counts. It is the sequence
 * in the stream, until an older copy of the stream takes its place.
 */
export function positionOf({ streamSequence, storedAt }: Place, continuations: readonly Continuation[]): number {
  const at = storedAt.getTime();
  const latest = continuations.findLast(({ since, after }) => {
    const begin = since.getTime();
    return at > begin || (streamSequence > after && at > begin - SKEW_MS);
  });
  return streamSequence + (latest?.offset ?? 0);
}

/** The stream as the server has it. */
export interface StreamRange {
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/** What is added when the sequences of the stream were given before: what comes from now on would count as older than what is stored. */
export function continuationOf({ highest, storedAt }: Seen, { firstSequence, lastSequence }: StreamRange): Continuation {
  return { since: storedAt, after: lastSequence, offset: highest + 1 - firstSequence };
}

/** Whether the stream ends before what was seen of it. */
export function isOlderCopy({ highest, continuations }: Seen, { lastSequence }: StreamRange): boolean {
  return lastSequence + (continuations.at(-1)?.offset ?? 0) < highest;
}

/** Whether a message came after everything that was seen, and yet has a position that was given before. */
export function isGivenAgain(place: Place, { highest, storedAt, continuations }: Seen): boolean {
  return place.storedAt > storedAt && positionOf(place, continuations) <= highest;
}

/** Live objects that this database never saw, and of which the stream has no trace any more. */
export interface Gap {
  /** Between these positions. */
  readonly after: number;
  readonly before: number;
  /** They were sent after that. */
  readonly since: Date;
}

/**
 * What left the stream without having been seen: it is noted that a message was seen before it is handled. Either the stream is newer than the
 * database, which was restored from a backup, or its store was lost.
 */
export function unseenBefore({ highest, storedAt, continuations }: Seen, { firstSequence }: StreamRange): Gap | undefined {
  const before = firstSequence + (continuations.at(-1)?.offset ?? 0);
  return before > highest + 1 ? { after: highest, before, since: storedAt } : undefined;
}
