import { within, type Change } from './kinds/change.js';
import type { Content, Kind } from './kinds/kind.js';
import { accepted, type Outcome, type Written } from './kinds/outcome.js';

/** A change that writes a record. */
export interface Put<C extends Content = Content, K extends string = string> extends Change<C, K> {
  readonly content: C;
}

/**
 * How records of a kind are stored; one entry of a service's table of kinds. Changes that conflict with a record of another institution,
 * that are late, or that have unresolved references are handled before they get here.
 */
export interface OwnedKind<C extends Content = Content, K extends string = string> {
  /** Several kinds if their records share documents, so that each document is written only once. They have the same identity and order. */
  readonly kinds: readonly [Kind<C>, ...Kind<C>[]];
  /** Whether its lines are written after all other lines of an import, regardless of their position. */
  readonly comesLast?: boolean;
  /** Whether its records never change. A change is then only compared with the stored record, even if its references no longer exist. */
  readonly isImmutable?: boolean;
  /** Reads the records that are stored under the ids of these changes. */
  begin(changes: readonly Change<C, K>[]): Promise<Attempt<C, K>>;
}

/** One attempt to write changes: the records stored when it began, and the planned writes. */
export interface Attempt<C extends Content = Content, K extends string = string> {
  /**
   * Whether the attempt leaves out a change, because the records of all changes together do not fit into memory. It is tried again. No
   * attempt may leave out all changes.
   */
  isPostponed?(change: Change<C, K>): boolean;
  /** Returns by which institution and sequence the record with the change's id was last written; undefined if none is stored. */
  stored(change: Change<C, K>): Written | undefined;
  /**
   * Plans to write the record, with the sequence `change.sequence ?? stored.sequence`.
   *
   * @returns undefined if it was planned; `accepted` if there is nothing to write (see `isStored`); otherwise why it cannot be written
   */
  put(change: Put<C, K>): Outcome | undefined;
  /** Plans the removal of the stored record. @returns undefined if it was planned, otherwise why it cannot be removed */
  remove(change: Change<C, K>): Outcome | undefined;
  /**
   * For kinds whose records are moved in two steps: plans the removal of the stale copy that an earlier attempt left when a newer change
   * overtook it.
   *
   * @returns whether there is one
   */
  dropStale?(change: Change<C, K>): boolean;
  /**
   * Executes the plan, in the order in which it was made.
   *
   * @returns the outcomes; changes without an outcome lost a compare-and-set or need a second step, and are tried again
   */
  save(): Promise<ReadonlyMap<Change<C, K>, Outcome>>;
}

/** Returns the outcome `accepted` for each change. */
export function allAccepted<T extends Change>(changes: Iterable<T>): Map<T, Outcome> {
  return new Map(Array.from(changes, (change) => [change, accepted]));
}

/** Records of a kind that are written one by one. */
export interface SingleRecords<C extends Content, S extends Written> {
  /** Reads the records that are stored under the ids of these changes, which are of one institution, by id. */
  load(changes: readonly Pick<Change<C>, 'institutionId' | 'id'>[]): Promise<ReadonlyMap<string, S>>;
  /** Writes the record unless it is already stored like this. @returns undefined if a compare-and-set was lost */
  write(change: Put<C>, stored: S | undefined): Promise<Outcome | undefined>;
  /** Removes the stored record. @returns undefined if a compare-and-set was lost */
  remove(change: Change<C>, stored: S): Promise<Outcome | undefined>;
}

/**
 * Creates attempts that write one record after the other. If a compare-and-set is lost, this change and all later ones are tried again, so
 * that their order is kept.
 */
export function oneByOne<C extends Content, S extends Written>(records: SingleRecords<C, S>): OwnedKind<C>['begin'] {
  return async (changes) => {
    const stored = await loadEach(records, changes);
    const planned = new Map<Change<C>, () => Promise<Outcome | undefined>>();
    return {
      stored: (change) => stored.get(nameOf(change)),
      put: (change) => void planned.set(change, () => within(change, () => records.write(change, stored.get(nameOf(change))))),
      remove: (change) => {
        const record = stored.get(nameOf(change));
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

/** Reads the records of each institution alone, because two institutions may use the same id (docs/sharding.md#ids-in-a-cluster). */
async function loadEach<C extends Content, S extends Written>(
  records: Pick<SingleRecords<C, S>, 'load'>,
  changes: readonly Change<C>[],
): Promise<ReadonlyMap<string, S>> {
  const loads = Array.from(Map.groupBy(changes, nameOfInstitution), async ([institutionId, own]) => {
    return Array.from(await records.load(own), ([id, record]) => [nameOf({ institutionId, id }), record] as const);
  });
  return new Map((await Promise.all(loads)).flat());
}

function nameOfInstitution({ institutionId }: Pick<Change, 'institutionId'>): string {
  return institutionId;
}

function nameOf({ institutionId, id }: Pick<Change, 'institutionId' | 'id'>): string {
  return `${institutionId}/${id}`;
}
