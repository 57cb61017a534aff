import { within, type Change } from './kinds/change.js';
import type { Content, Kind } from './kinds/kind.js';
import { accepted, type Outcome, type Written } from './kinds/outcome.js';

/** A record as a change says it. */
export interface Put<C extends Content = Content, K extends string = string> extends Change<C, K> {
  readonly content: C;
}

/**
 * A line of the table of a service's kinds: how records of a kind are stored. Objects of other institutions, late objects and unknown
 * references never get here.
 */
export interface OwnedKind<C extends Content = Content, K extends string = string> {
  /** Several where their records lie in the same documents, each of which is written once then; they have the same identity and order. */
  readonly kinds: readonly [Kind<C>, ...Kind<C>[]];
  /** Its lines are written after all others of an import, wherever they stand. */
  readonly comesLast?: boolean;
  /** Its records never change: what is stored is only compared, also where what it names is gone by now. */
  readonly isImmutable?: boolean;
  /** Reads what the institutions of some changes have stored under their ids. */
  begin(changes: readonly Change<C, K>[]): Promise<Attempt<C, K>>;
}

/** One attempt at some changes of such kinds: what was stored when it began, and what it is going to write. */
export interface Attempt<C extends Content = Content, K extends string = string> {
  /** Who wrote last what is stored under the id of the change; undefined where nothing is. */
  stored(change: Change<C, K>): Written | undefined;
  /**
   * Plans that the record becomes what the change says, keeping `change.sequence ?? stored.sequence` with it.
   *
   * @returns undefined when it is planned; `accepted` when it says nothing that is not stored (`isKnown` says whether its sequence is new); or
   *   why it cannot be
   */
  put(change: Put<C, K>): Outcome | undefined;
  /** Plans the removal of what is stored. @returns undefined when it is planned, or why it cannot be */
  remove(change: Change<C, K>): Outcome | undefined;
  /**
   * Plans the removal of what an earlier attempt at this change left beside the newest when a newer change overtook it; of kinds whose
   * records move in two steps. @returns whether there is any
   */
  dropStale?(change: Change<C, K>): boolean;
  /**
   * Writes what was planned, in the order in which it was.
   *
   * @returns what became of it; changes that are left out lost a compare-and-set or take two steps, and are tried again
   */
  save(): Promise<ReadonlyMap<Change<C, K>, Outcome>>;
}

/** The outcomes of changes that were all saved. */
export function allAccepted<T extends Change>(changes: Iterable<T>): Map<T, Outcome> {
  return new Map(Array.from(changes, (change) => [change, accepted]));
}

/** Records of a kind that are written one by one. */
export interface SingleRecords<C extends Content, S extends Written> {
  /** What the institutions of these changes have stored under their ids. */
  load(changes: readonly Pick<Change<C>, 'institutionId' | 'id'>[]): Promise<ReadonlyMap<string, S>>;
  /** Makes the record what the change says, or finds that it is. @returns undefined when a compare-and-set was lost */
  write(change: Put<C>, stored: S | undefined): Promise<Outcome | undefined>;
  /** Removes what is stored. @returns undefined when a compare-and-set was lost */
  remove(change: Change<C>, stored: S): Promise<Outcome | undefined>;
}

/** Attempts that write one record after the other; what comes behind one that was lost is tried again with it, so that their order stays. */
export function oneByOne<C extends Content, S extends Written>(records: SingleRecords<C, S>): OwnedKind<C>['begin'] {
  return async (changes) => {
    const stored = await records.load(changes);
    const planned = new Map<Change<C>, () => Promise<Outcome | undefined>>();
    return {
      stored: ({ id }) => stored.get(id),
      put: (change) => void planned.set(change, () => within(change, () => records.write(change, stored.get(change.id)))),
      remove: (change) => {
        const record = stored.get(change.id);
        if (record === undefined) return accepted;
        planned.set(change, () => within(change, () => records.remove(change, record)));
        return undefined;
      },
      async save() {
        const outcomes = new Map<Change<C>, Outcome>();
        for (const [change, write] of planned) {
          const outcome = await write();
          if (outcome === undefined) break;
          outcomes.set(change, outcome);
        }
        return outcomes;
      },
    };
  };
}
