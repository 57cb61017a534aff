import type { Apply } from './apply.js';
import { findUnresolved, type ReferenceLookup } from './find-unresolved.js';
import type { Change } from './kinds/change.js';
import type { Content, Kind } from './kinds/kind.js';
import { accepted, obstacle, overtaken, type Outcome, type Written } from './kinds/outcome.js';
import { untilSettled } from './until-settled.js';

/** The record of a change. */
export interface Put<C extends Content = Content> extends Change<C> {
  readonly content: C;
}

/**
 * A line of the table of a service's kinds: how records of one kind are stored. Objects of other institutions, late objects and unknown
 * references never get here.
 */
export interface OwnedKind<C extends Content = Content, S extends Written = Written> {
  readonly kind: Kind<C>;
  /** What is stored under these ids, of any institution. */
  load(ids: readonly string[]): Promise<ReadonlyMap<string, S>>;
  /**
   * Stores the change; keeps `change.sequence ?? stored.sequence` with it. Without a difference it writes and publishes nothing (`isKnown`
   * compares the sequence, too).
   *
   * @returns undefined when the compare-and-set was lost: it is loaded and tried again
   */
  write(change: Put<C>, stored: S | undefined): Promise<Outcome | undefined>;
  /** Removes what is stored. @returns undefined when the compare-and-set was lost */
  remove(change: Change<C>, stored: S): Promise<Outcome | undefined>;
}

/** What was deleted, so that an older live object that comes late has no effect; see `deletionMarkers` of libs/mongo. */
export interface DeletionMarkers {
  /** Of the ids those that were deleted, with the place of the deletion in the stream. */
  sequences(kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  put(kind: string, id: string, sequence: number): Promise<void>;
}

/** The table of a service's kinds, and what judging them needs. */
export interface OwnedKindsOptions {
  /** In the order in which they refer to each other. */
  readonly kinds: readonly OwnedKind[];
  readonly references: ReferenceLookup;
  readonly markers: DeletionMarkers;
}

/** Writes changes kind by kind, and those of a kind one after the other in the order given. */
export function applyToOwnedKinds(options: OwnedKindsOptions): Apply {
  return async (changes, { mayWait }) => {
    const outcomes = new Map<Change, Outcome>();
    for (const owned of options.kinds) {
      const ofKind = changes.filter(({ kind }) => kind === owned.kind.name);
      if (ofKind.length > 0)
        for (const [change, outcome] of await applyKind(options, { owned, mayWait }, ofKind)) outcomes.set(change, outcome);
    }
    return changes.map((change) => outcomes.get(change) ?? unknownKind(change));
  };
}

interface Task {
  readonly owned: OwnedKind;
  readonly mayWait: boolean;
}

async function applyKind(options: OwnedKindsOptions, { owned, mayWait }: Task, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  const ids = changes.map(({ id }) => id);
  const [unresolved, deletedAt, stored] = await Promise.all([
    findUnresolved(options.references, owned.kind, changes),
    changes.some(({ sequence }) => sequence !== undefined) ? options.markers.sequences(owned.kind.name, ids) : undefined,
    owned.load(ids),
  ]);
  const outcomes = new Map<Change, Outcome>();
  const held = new Set<string>();
  for (const change of changes) {
    const { id, institutionId, sequence } = change;
    const isLate = sequence !== undefined && sequence < (deletedAt?.get(id) ?? 0);
    const outcome = held.has(institutionId)
      ? { kind: 'behind' as const }
      : (unresolved.get(change) ?? (isLate ? overtaken : await settle(options.markers, { owned, change, stored: stored.get(id) })));
    if (mayWait && outcome.kind === 'unresolved' && owned.kind.order === 'institution') held.add(institutionId);
    outcomes.set(change, outcome);
  }
  return outcomes;
}

interface Attempt {
  readonly owned: OwnedKind;
  readonly change: Change;
  /** As it was loaded with the others. */
  readonly stored: Written | undefined;
}

async function settle(markers: DeletionMarkers, { owned, change, stored }: Attempt): Promise<Outcome> {
  let current = stored;
  let isFresh = true;
  const outcomes = await untilSettled([change], async () => {
    if (!isFresh) current = (await owned.load([change.id])).get(change.id);
    isFresh = false;
    const outcome = (current && obstacle(change, current)) ?? (await perform(markers, { owned, change, stored: current }));
    return new Map(outcome === undefined ? [] : [[change, outcome]]);
  });
  return outcomes.get(change) ?? accepted;
}

async function perform(markers: DeletionMarkers, { owned, change, stored }: Attempt): Promise<Outcome | undefined> {
  const { content } = change;
  if (content !== null) return owned.write({ ...change, content }, stored);
  const sequence = change.sequence ?? stored?.sequence;
  // Before the deletion itself: a crash in between is repeated.
  if (sequence !== undefined) await markers.put(change.kind, change.id, sequence);
  return stored === undefined ? accepted : owned.remove(change, stored);
}

function unknownKind({ kind }: Change): never {
  throw new Error(`There is no table line for ${kind}.`);
}
