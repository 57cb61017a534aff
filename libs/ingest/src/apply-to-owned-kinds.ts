import type { Apply, ApplyTerms } from './apply.js';
import { findMissing, findUnresolved, type Named, type ReferenceLookup } from './find-unresolved.js';
import { within, type Change } from './kinds/change.js';
import type { Content } from './kinds/kind.js';
import { accepted, obstacle, overtaken, type Outcome, type Written } from './kinds/outcome.js';
import type { Attempt, OwnedKind, Put } from './owned-kind.js';
import { untilSettled } from './until-settled.js';

/** What was deleted, so that an older live object that comes late has no effect; see `deletionMarkers` of libs/mongo. */
export interface DeletionMarkers {
  /** Where in the stream each of these records was deleted, in the same order; 0 where it was not. */
  sequences(kind: string, records: readonly DeletedRecord[]): Promise<readonly number[]>;
  put(kind: string, record: DeletedRecord, sequence: number): Promise<void>;
}

/** The name of a record that may have been deleted. */
export interface DeletedRecord {
  readonly institutionId: string;
  readonly id: string;
}

/** The table of a service's kinds, and what judging them needs. */
export interface OwnedKindsOptions<C extends Content = Content, K extends string = string> {
  /** In the order in which they refer to each other. */
  readonly kinds: readonly OwnedKind<C, K>[];
  readonly references: ReferenceLookup;
  /** Left out where what is deleted keeps its place in the stream. */
  readonly markers?: DeletionMarkers;
  /**
   * Does to what is stored now what the deletion of these records does to all that name them. It can be repeated, and leaves what is there
   * again. Left out where nothing of the kinds goes with what it names.
   */
  readonly forget?: (deleted: readonly Named[]) => Promise<void>;
}

const BEHIND: Outcome = { kind: 'behind' };

/**
 * Writes changes kind by kind, many together; of kinds that keep the order of their institution those in the order given, of the others
 * removals before what may take their place.
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
  // The first attempt begins while what stands against it is looked up.
  const [unresolved, deleted, first] = await Promise.all([
    findUnresolved(options.references, owned.kinds[0], changes),
    findDeleted(options.markers, owned, changes),
    owned.begin(changes),
  ]);
  const run: Run<C, K> = { owned, terms, markers: options.markers, unresolved, deleted, held: new Set() };
  let begun: Attempt<C, K> | undefined = first;
  const outcomes = await untilSettled(changes, async (open) => {
    const attempt = begun ?? (await owned.begin(open));
    begun = undefined;
    return settle(run, attempt, open);
  });
  // Those that say what was stored before are among them: a process may have been killed between writing them and looking again.
  await forgetDeleted(
    options,
    run,
    changes.filter((change) => outcomes.get(change) === accepted || (run.unresolved.has(change) && first.stored(change) !== undefined)),
  );
  return outcomes;
}

/**
 * A record and the deletion of one that it names may be written at the same time: the one was looked for before it was deleted, and the
 * deletion looks for what names it before that is written. So what is named is looked for once more.
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

/** Live objects whose records were deleted by newer ones, and the place of the deletion. */
async function findDeleted<C extends Content, K extends string>(
  markers: DeletionMarkers | undefined,
  { kinds }: OwnedKind<C, K>,
  changes: readonly Change<C, K>[],
): Promise<Map<Change, number>> {
  if (markers === undefined) return new Map();
  const live = changes.filter(({ sequence }) => sequence !== undefined);
  const late = kinds.map(({ name }) =>
    findLate(
      markers,
      name,
      live.filter(({ kind }) => kind === name),
    ),
  );
  return new Map((await Promise.all(late)).flat());
}

async function findLate<T extends Change>(
  markers: DeletionMarkers,
  kind: string,
  live: readonly T[],
): Promise<readonly (readonly [T, number])[]> {
  if (live.length === 0) return [];
  const deletedAt = await markers.sequences(kind, live);
  return live.flatMap((change, index) => {
    const at = deletedAt[index] ?? 0;
    const { sequence = 0 } = change;
    // An import leaves its deletion at the place of what it deleted, which may be delivered again.
    const isLate = sequence < at || (sequence === at && change.content !== null);
    return isLate ? [[change, at] as const] : [];
  });
}

interface Run<C extends Content, K extends string> extends Task<C, K> {
  readonly markers: DeletionMarkers | undefined;
  readonly unresolved: ReadonlyMap<Change, Outcome>;
  /** Grows when a deletion turns out to have come in between. */
  readonly deleted: Map<Change, number>;
  /** Institutions whose later lines wait behind one that waits. */
  readonly held: Set<string>;
}

async function settle<C extends Content, K extends string>(
  run: Run<C, K>,
  attempt: Attempt<C, K>,
  open: readonly Change<C, K>[],
): Promise<Map<Change<C, K>, Outcome>> {
  const settled = new Map<Change<C, K>, Outcome>();
  for (const change of open) {
    const outcome = run.held.has(change.institutionId) ? BEHIND : within(change, () => plan(run, attempt, change));
    if (outcome === undefined) continue;
    settled.set(change, outcome);
    hold(run, change, outcome);
  }
  // Before the deletions themselves: a crash in between is repeated.
  await markDeletions(
    run.markers,
    attempt,
    open.filter((change) => change.content === null && (settled.get(change) ?? accepted) === accepted),
  );
  for (const [change, outcome] of await attempt.save()) {
    settled.set(change, outcome);
    hold(run, change, outcome);
  }
  for (const change of await missedDeletions(run, attempt, [...settled.keys()])) settled.delete(change);
  return settled;
}

/**
 * The creation of a record and its deletion may be handled at the same time, and neither finds the other when it reads. The one leaves its
 * marker, the other its record, and then each looks again: at least one of them finds both. It takes another attempt.
 */
async function missedDeletions<C extends Content, K extends string>(
  run: Run<C, K>,
  attempt: Attempt<C, K>,
  settled: readonly Change<C, K>[],
): Promise<readonly Change<C, K>[]> {
  const { markers, owned, deleted } = run;
  const blind = settled.filter(
    (change) => change.sequence !== undefined && isBlind(attempt, change) && !deleted.has(change) && !run.unresolved.has(change),
  );
  if (markers === undefined || blind.length === 0) return [];
  const removals = blind.filter(({ content }) => content === null);
  const [since, now] = await Promise.all([
    findDeleted(markers, owned, blind.filter(isPut)),
    removals.length === 0 ? undefined : owned.begin(removals),
  ]);
  for (const [change, at] of since) deleted.set(change, at);
  const created = removals.filter((change) => now?.stored(change) !== undefined);
  return [...blind.filter((change) => since.has(change)), ...created];
}

/** What is stored by the same change may be the new place of a record whose old place the deletion found and emptied. */
function isBlind<C extends Content, K extends string>(attempt: Attempt<C, K>, change: Change<C, K>): boolean {
  const stored = attempt.stored(change);
  return stored === undefined || (isPut(change) && stored.sequence === change.sequence);
}

/** @returns undefined when it was planned */
function plan<C extends Content, K extends string>(run: Run<C, K>, attempt: Attempt<C, K>, change: Change<C, K>): Outcome | undefined {
  const stored = attempt.stored(change);
  const found = against(run, change, stored);
  if (found === 'remove') return attempt.remove(change);
  const hindrance = found ?? (stored && obstacle(change, stored));
  // The next attempt finds it overtaken and nothing else.
  if (hindrance === overtaken && attempt.dropStale?.(change) === true) return undefined;
  if (hindrance !== undefined) return hindrance;
  if (isPut(change)) return attempt.put(change);
  return stored === undefined ? accepted : attempt.remove(change);
}

/**
 * What was found against a change; a record that is older than its deletion was created at the same time, and goes, whether it may change or
 * not.
 */
function against<C extends Content, K extends string>(
  { owned, unresolved, deleted }: Run<C, K>,
  change: Change<C, K>,
  stored: Written | undefined,
): Outcome | 'remove' | undefined {
  const deletedAt = deleted.get(change);
  if (deletedAt === undefined) return owned.isImmutable === true && stored !== undefined ? undefined : unresolved.get(change);
  const isRemnant = stored?.sequence !== undefined && stored.sequence <= deletedAt && stored.institutionId === change.institutionId;
  return isRemnant ? 'remove' : overtaken;
}

function isPut<C extends Content, K extends string>(change: Change<C, K>): change is Put<C, K> {
  return change.content !== null;
}

function hold<C extends Content, K extends string>({ owned, terms, held }: Run<C, K>, { institutionId }: Change, { kind }: Outcome): void {
  if (terms.mayWait && kind === 'unresolved' && owned.kinds[0].order === 'institution') held.add(institutionId);
}

/** A deletion by import is remembered at the place at which the record was last written. */
async function markDeletions<C extends Content, K extends string>(
  markers: DeletionMarkers | undefined,
  attempt: Attempt<C, K>,
  deletions: readonly Change<C, K>[],
): Promise<void> {
  for (const change of deletions) {
    const sequence = change.sequence ?? attempt.stored(change)?.sequence;
    if (sequence !== undefined) await markers?.put(change.kind, change, sequence);
  }
}

function unknownKind({ kind }: Change): never {
  throw new Error(`There is no table line for ${kind}.`);
}
