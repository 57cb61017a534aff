import type { Apply, ApplyTerms } from './apply.js';
import {
  findDeleted,
  findDeletionRaces,
  findSettled,
  isPut,
  markDeletions,
  mayRaceWithDeletion,
  settleDeletions,
  type DeletionMarkers,
} from './deleted-records.js';
import { findMissing, findUnresolved, type Named, type ReferenceLookup } from './find-unresolved.js';
import { within, type Change } from './kinds/change.js';
import type { Content } from './kinds/kind.js';
import { accepted, obstacle, overtaken, type Outcome, type Written } from './kinds/outcome.js';
import type { Attempt, OwnedKind } from './owned-kind.js';
import { untilSettled } from './until-settled.js';

/** The table of a service's kinds, and what is needed to apply their changes. */
export interface OwnedKindsOptions<C extends Content = Content, K extends string = string> {
  /** Sorted so that no kind references a later one. */
  readonly kinds: readonly OwnedKind<C, K>[];
  readonly references: ReferenceLookup;
  /** Omitted by services that keep deleted records together with their position in the stream. */
  readonly markers?: DeletionMarkers;
  /**
   * Removes the records that reference these deleted records, or only their references, as the deletion itself did. It may be called
   * repeatedly, and does nothing for records that exist again. Omitted if deletions do not affect records of these kinds.
   */
  readonly forget?: (deleted: readonly Named[]) => Promise<void>;
}

const BEHIND: Outcome = { kind: 'behind' };

/**
 * Writes changes kind by kind, in batches. Kinds with the order `institution` are written in the order given. For all other kinds, removals
 * are written first, because a new record may take the place of a removed one.
 */
export function applyToOwnedKinds<C extends Content, K extends string>(options: OwnedKindsOptions<C, K>): Apply<C, K> {
  return async (changes, terms) => {
    const outcomes = new Map<Change, Outcome>();
    for (const owned of options.kinds) {
      const own = new Set(owned.kinds.map(({ name }) => name));
      const ofKinds = changes.filter(({ kind }) => own.has(kind));
      for (const part of partsOf(owned, ofKinds)) {
        for (const [change, outcome] of await applyPart(options, { owned, terms }, part)) outcomes.set(change, outcome);
      }
    }
    return changes.map((change) => outcomes.get(change) ?? unknownKind(change));
  };
}

function partsOf<C extends Content, K extends string>(
  { kinds: [{ order }] }: OwnedKind<C, K>,
  changes: readonly Change<C, K>[],
): readonly (readonly Change<C, K>[])[] {
  const parts =
    order === 'institution'
      ? [changes]
      : [changes.filter(({ content }) => content === null), changes.filter(({ content }) => content !== null)];
  return parts.filter(({ length }) => length > 0);
}

interface Task<C extends Content, K extends string> {
  readonly owned: OwnedKind<C, K>;
  readonly terms: ApplyTerms;
}

async function applyPart<C extends Content, K extends string>(
  options: OwnedKindsOptions<C, K>,
  { owned, terms }: Task<C, K>,
  changes: readonly Change<C, K>[],
): Promise<ReadonlyMap<Change, Outcome>> {
  if (owned.comesLast === true && terms.mayWait) return new Map(changes.map((change) => [change, BEHIND]));
  // The stored records are read while references and deletions are looked up.
  const [unresolved, deleted, first] = await Promise.all([
    findUnresolved(options.references, owned.kinds[0], changes),
    findDeleted(options.markers, owned, changes),
    owned.begin(changes),
  ]);
  const run: Run<C, K> = { owned, terms, markers: options.markers, unresolved, deleted, waiting: new Set() };
  let begun: Attempt<C, K> | undefined = first;
  const outcomes = await untilSettled(changes, async (open) => {
    const attempt = begun ?? (await owned.begin(open));
    begun = undefined;
    return settle(run, attempt, open);
  });
  // Includes changes that were already stored: a process may have been killed after it wrote them and before this check.
  await forgetDeleted(
    options,
    run,
    changes.filter((change) => outcomes.get(change) === accepted || (run.unresolved.has(change) && first.stored(change) !== undefined)),
  );
  return outcomes;
}

/**
 * Checks again whether the records that written changes reference exist. One may have been deleted concurrently: after its reference was
 * looked up and before the change was written, so that the deletion did not find the change.
 */
async function forgetDeleted<C extends Content, K extends string>(
  { references, forget }: OwnedKindsOptions<C, K>,
  { owned }: Task<C, K>,
  written: readonly Change<C, K>[],
): Promise<void> {
  const puts = written.filter(isPut);
  if (forget === undefined || puts.length === 0) return;
  const missing = await findMissing(references, owned.kinds[0], puts);
  if (missing.length > 0) await forget(missing);
}

interface Run<C extends Content, K extends string> extends Task<C, K> {
  readonly markers: DeletionMarkers | undefined;
  readonly unresolved: ReadonlyMap<Change, Outcome>;
  /** Stream sequences of the deletions of the changed records; entries are added when a concurrent deletion is found. */
  readonly deleted: Map<Change, number>;
  /** Institutions with a line that waits for a reference; later lines wait behind it to keep their order. */
  readonly waiting: Set<string>;
}

async function settle<C extends Content, K extends string>(
  run: Run<C, K>,
  attempt: Attempt<C, K>,
  all: readonly Change<C, K>[],
): Promise<Map<Change<C, K>, Outcome>> {
  const open = all.filter((change) => attempt.isPostponed?.(change) !== true);
  const settled = new Map<Change<C, K>, Outcome>();
  await settleDeletions(
    run.markers,
    attempt,
    open.filter((change) => !run.unresolved.has(change)),
  );
  const over = await findSettled(run.markers, attempt, open);
  for (const change of open) {
    const outcome = run.waiting.has(change.institutionId)
      ? BEHIND
      : over.has(change)
        ? overtaken
        : within(change, () => plan(run, attempt, change));
    if (outcome === undefined) continue;
    settled.set(change, outcome);
    noteWaiting(run, change, outcome);
  }
  // Written before the records are removed: after a crash in between, the message is delivered again.
  await markDeletions(
    run.markers,
    attempt,
    open.filter((change) => change.content === null && (settled.get(change) ?? accepted) === accepted),
  );
  for (const [change, outcome] of await attempt.save()) {
    settled.set(change, outcome);
    noteWaiting(run, change, outcome);
  }
  for (const change of await lostToDeletions(run, attempt, [...settled.keys()])) settled.delete(change);
  return settled;
}

/** Returns the changes that raced with a deletion and have to be attempted again. */
async function lostToDeletions<C extends Content, K extends string>(
  { owned, markers, unresolved, deleted }: Run<C, K>,
  attempt: Attempt<C, K>,
  settled: readonly Change<C, K>[],
): Promise<readonly Change<C, K>[]> {
  const exposed = settled.filter((change) => mayRaceWithDeletion(attempt, change) && !deleted.has(change) && !unresolved.has(change));
  const races = await findDeletionRaces(markers, owned, exposed);
  for (const [change, at] of races.deleted) deleted.set(change, at);
  return races.again;
}

/** Plans a change. @returns undefined if it was planned, otherwise its outcome */
function plan<C extends Content, K extends string>(run: Run<C, K>, attempt: Attempt<C, K>, change: Change<C, K>): Outcome | undefined {
  const stored = attempt.stored(change);
  const found = objectionTo(run, change, stored);
  if (found === 'remove') return attempt.remove(change);
  const hindrance = found ?? (stored && obstacle(change, stored));
  // The next attempt finds no stale record any more and returns `overtaken`.
  if (hindrance === overtaken && attempt.dropStale?.(change) === true) return undefined;
  if (hindrance !== undefined) return hindrance;
  if (isPut(change)) return attempt.put(change);
  return stored === undefined ? accepted : attempt.remove(change);
}

/**
 * Returns why a change has no effect: an unresolved reference, or a newer deletion. Returns `remove` if the stored record is older than
 * that deletion: both were processed concurrently, and the record has to be removed, even if its kind is immutable.
 */
function objectionTo<C extends Content, K extends string>(
  { owned, unresolved, deleted }: Run<C, K>,
  change: Change<C, K>,
  stored: Written | undefined,
): Outcome | 'remove' | undefined {
  const deletedAt = deleted.get(change);
  if (deletedAt === undefined) return isWritten(owned, change, stored) ? undefined : unresolved.get(change);
  const isRemnant = stored?.sequence !== undefined && stored.sequence <= deletedAt && stored.institutionId === change.institutionId;
  return isRemnant ? 'remove' : overtaken;
}

/** Whether the change itself was written before. It may have lost references since, when the records that they named were deleted. */
function isWritten({ isImmutable }: Pick<OwnedKind, 'isImmutable'>, { sequence }: Change, stored: Written | undefined): boolean {
  return stored !== undefined && (isImmutable === true || (sequence !== undefined && sequence === stored.sequence));
}

function noteWaiting<C extends Content, K extends string>(
  { owned, terms, waiting }: Run<C, K>,
  { institutionId }: Change,
  { kind }: Outcome,
): void {
  if (terms.mayWait && kind === 'unresolved' && owned.kinds[0].order === 'institution') waiting.add(institutionId);
}

function unknownKind({ kind }: Change): never {
  throw new Error(`No owned kind is defined for ${kind}.`);
}
