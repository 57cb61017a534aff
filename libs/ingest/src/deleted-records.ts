import type { Change } from './kinds/change.js';
import type { Content } from './kinds/kind.js';
import type { Attempt, OwnedKind, Put } from './owned-kind.js';

/** Remembers deletions, so that an older live object that arrives late has no effect; see `deletionMarkers` of libs/mongo. */
export interface DeletionMarkers {
  /** Returns the stream sequence at which each record was deleted, in the order of the records; 0 if it was not deleted. */
  sequences(kind: string, records: readonly DeletedRecord[]): Promise<readonly number[]>;
  /** Stores the stream sequence at which each record was deleted. */
  put(kind: string, deletions: readonly Deletion[]): Promise<void>;
  /** Notes that an import is about to create these records again: the deletions known so far are over. */
  settle(kind: string, records: readonly DeletedRecord[]): Promise<void>;
  /** Returns the stream sequence up to which deletions of each record are over, in the order of the records; 0 if none is. */
  settled(kind: string, records: readonly DeletedRecord[]): Promise<readonly number[]>;
}

/** Identifies a record that may have been deleted. */
interface DeletedRecord {
  readonly institutionId: string;
  readonly id: string;
}

interface Deletion extends DeletedRecord {
  readonly sequence: number;
}

/** Finds live changes whose records were deleted by newer changes. @returns the stream sequence of the deletion, by change */
export async function findDeleted<C extends Content, K extends string>(
  markers: DeletionMarkers | undefined,
  { kinds }: OwnedKind<C, K>,
  changes: readonly Change<C, K>[],
): Promise<Map<Change, number>> {
  if (markers === undefined) return new Map();
  const live = changes.filter(({ sequence }) => sequence !== undefined);
  const late = kinds.map(({ name }) =>
    findDeletedOfKind(
      markers,
      name,
      live.filter(({ kind }) => kind === name),
    ),
  );
  return new Map((await Promise.all(late)).flat());
}

async function findDeletedOfKind<T extends Change>(
  markers: DeletionMarkers,
  kind: string,
  live: readonly T[],
): Promise<readonly (readonly [T, number])[]> {
  if (live.length === 0) return [];
  const deletedAt = await markers.sequences(kind, live);
  return live.flatMap((change, index) => {
    const at = deletedAt[index] ?? 0;
    const { sequence = 0 } = change;
    // A deletion by import is stored with the sequence of the live object that it deleted, and that object may be delivered again.
    const isLate = sequence < at || (sequence === at && change.content !== null);
    return isLate ? [[change, at] as const] : [];
  });
}

/**
 * Remembers deletions. A deletion by import has no position in the stream; it is stored with the sequence at which the record was last
 * written.
 */
export async function markDeletions<C extends Content, K extends string>(
  markers: DeletionMarkers | undefined,
  attempt: Attempt<C, K>,
  deletions: readonly Change<C, K>[],
): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(deletions, (change) => change.kind)) {
    const placed = ofKind.flatMap((change) => {
      const { institutionId, id, sequence = attempt.stored(change)?.sequence } = change;
      return sequence === undefined ? [] : [{ institutionId, id, sequence }];
    });
    if (placed.length > 0) await markers?.put(kind, placed);
  }
}

/**
 * Notes which records an import creates, before it creates them. A deletion is delivered again if its process was killed after it removed the
 * record and before it acknowledged the deletion. Nothing else distinguishes the record that an import has created since from the one to
 * remove, because an imported line has no position in the stream.
 */
export async function settleDeletions<C extends Content, K extends string>(
  markers: DeletionMarkers | undefined,
  attempt: Attempt<C, K>,
  changes: readonly Change<C, K>[],
): Promise<void> {
  const created = changes.filter((change) => change.sequence === undefined && isPut(change) && attempt.stored(change) === undefined);
  for (const [kind, ofKind] of Map.groupBy(created, (change) => change.kind)) await markers?.settle(kind, ofKind);
}

/** Returns the live deletions that are over, because an import has created their record again. Call it after the records were read. */
export async function findSettled<C extends Content, K extends string>(
  markers: DeletionMarkers | undefined,
  attempt: Attempt<C, K>,
  changes: readonly Change<C, K>[],
): Promise<ReadonlySet<Change>> {
  const found = new Set<Change>();
  if (markers === undefined) return found;
  const removals = changes.filter(
    (change) => change.sequence !== undefined && change.content === null && attempt.stored(change) !== undefined,
  );
  for (const [kind, ofKind] of Map.groupBy(removals, (change) => change.kind)) {
    const upTo = await markers.settled(kind, ofKind);
    for (const [index, change] of ofKind.entries()) if ((change.sequence ?? 0) <= (upTo[index] ?? 0)) found.add(change);
  }
  return found;
}

/** The result of checking for concurrent creations and deletions of the same record. */
interface DeletionRaces<C extends Content, K extends string> {
  /** Changes that have to be applied again, now that the concurrent change is visible. */
  readonly again: readonly Change<C, K>[];
  /** Stream sequences of the deletions of their records, where they were deleted. */
  readonly deleted: ReadonlyMap<Change, number>;
}

/**
 * Checks changes that were just written for a race between the creation of a record and its deletion, in which neither sees the other when
 * it reads. The creation writes the record, the deletion writes a marker, and both check afterwards; so at least one of them sees both.
 */
export async function findDeletionRaces<C extends Content, K extends string>(
  markers: DeletionMarkers | undefined,
  owned: OwnedKind<C, K>,
  written: readonly Change<C, K>[],
): Promise<DeletionRaces<C, K>> {
  if (markers === undefined || written.length === 0) return { again: [], deleted: new Map() };
  const removals = written.filter(({ content }) => content === null);
  const [deleted, now] = await Promise.all([
    findDeleted(markers, owned, written.filter(isPut)),
    removals.length === 0 ? undefined : owned.begin(removals),
  ]);
  const created = removals.filter((change) => now?.isPostponed?.(change) === true || now?.stored(change) !== undefined);
  return { again: [...written.filter((change) => deleted.has(change)), ...created], deleted };
}

/**
 * Whether a change may race with a deletion: when the attempt began, nothing was stored, or only what an earlier attempt at the same change
 * had written. In the latter case, the record may be in the middle of a move, and the deletion may have found only its old place.
 */
export function mayRaceWithDeletion<C extends Content, K extends string>(attempt: Attempt<C, K>, change: Change<C, K>): boolean {
  const stored = attempt.stored(change);
  return change.sequence !== undefined && (stored === undefined || (isPut(change) && stored.sequence === change.sequence));
}

/** Whether a change writes a record; otherwise it deletes it. */
export function isPut<C extends Content, K extends string>(change: Change<C, K>): change is Put<C, K> {
  return change.content !== null;
}
