import type { Change } from './kinds/change.js';
import type { Content, Kind } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';

/** A change that waits to be written, and the functions that settle its promise. */
export interface WaitingChange<C extends Content = Content, K extends string = string> {
  readonly change: Change<C, K>;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** The properties of a kind that determine which of its changes may be reordered. */
export type OrderedKind = Pick<Kind, 'name' | 'order' | 'excludesOthers'>;

/**
 * A group takes about a tenth of a second. Workdays of one month in it are written together: of those of 60 employees, groups of 100 take half as long
 * again; with groups of 400, other institutions wait noticeably longer.
 */
const MAX_GROUP_SIZE = 250;

/** Queues of live changes by institution, each in order of arrival. */
export class WaitingChanges<C extends Content = Content, K extends string = string> {
  /** Institutions that were served most recently are last. */
  private readonly lines = new Map<string, WaitingChange<C, K>[]>();
  private readonly busy = new Set<string>();
  private readonly inOrder: ReadonlySet<string>;

  constructor(kinds: readonly OrderedKind[]) {
    const ordered = kinds.filter(({ order, excludesOthers }) => order === 'institution' || excludesOthers === true);
    this.inOrder = new Set(ordered.map(({ name }) => name));
  }

  add(one: WaitingChange<C, K>): void {
    const { institutionId } = one.change;
    const line = this.lines.get(institutionId);
    if (line === undefined) this.lines.set(institutionId, [one]);
    else line.push(one);
  }

  /**
   * Takes the next group of changes that may be written together, at most 250.
   *
   * - It takes changes only from institutions for which nothing is being written, in turns.
   * - A group contains each record only once.
   * - Removals are grouped separately, by institution and kind.
   * - A change that does not fit waits for a later group, and so do the changes that depend on it.
   *
   * @returns an empty list if no change can be taken
   */
  take({ withRemovals }: { readonly withRemovals: boolean }): readonly WaitingChange<C, K>[] {
    const free = [...this.lines].filter(([institutionId, [head]]) => !this.busy.has(institutionId) && (withRemovals || !isRemoval(head)));
    const [[, firstLine = []] = []] = free;
    const [first] = firstLine;
    if (first === undefined) return [];
    const taken = isRemoval(first)
      ? this.takeInTurns([firstLine], (one) => isRemoval(one) && one.change.kind === first.change.kind)
      : this.takeInTurns(
          free.map(([, line]) => line),
          (one) => !isRemoval(one),
        );
    this.remove(taken);
    return taken;
  }

  /** Unlocks the institutions of a group that has been written. */
  release(group: readonly WaitingChange<C, K>[]): void {
    for (const { change } of group) this.busy.delete(change.institutionId);
  }

  /** Takes the changes that fit from several queues in turns, one from each queue. */
  private takeInTurns(
    lines: readonly (readonly WaitingChange<C, K>[])[],
    fits: (one: WaitingChange<C, K>) => boolean,
  ): WaitingChange<C, K>[] {
    const taken: WaitingChange<C, K>[] = [];
    const records = new Set<string>();
    const fitsHere = (one: WaitingChange<C, K>) => fits(one) && !records.has(recordOf(one.change));
    let open = lines.map((line) => fitting(line, fitsHere, this.inOrder));
    while (open.length > 0 && taken.length < MAX_GROUP_SIZE) {
      open = open.filter((line) => {
        const { value } = taken.length < MAX_GROUP_SIZE ? line.next() : { value: undefined };
        if (value === undefined) return false;
        records.add(recordOf(value.change));
        taken.push(value);
        return true;
      });
    }
    return taken;
  }

  private remove(taken: readonly WaitingChange<C, K>[]): void {
    const gone = new Set(taken);
    for (const institutionId of new Set(taken.map(({ change }) => change.institutionId))) {
      this.busy.add(institutionId);
      const rest = this.lines.get(institutionId)?.filter((one) => !gone.has(one)) ?? [];
      this.lines.delete(institutionId);
      if (rest.length > 0) this.lines.set(institutionId, rest);
    }
  }
}

/** Yields the changes of a queue that fit and do not depend on an earlier change that does not fit. */
function* fitting<T extends WaitingChange>(
  line: readonly T[],
  fits: (one: T) => boolean,
  inOrder: ReadonlySet<string>,
): Generator<T, undefined, undefined> {
  const skipped = new SkippedChanges(inOrder);
  let isFirst = true;
  for (const one of line) {
    // A change of the institution itself may remove what earlier changes reference.
    if (isAboutInstitution(one) && !isFirst) return;
    if (fits(one) && !skipped.blocks(one.change)) yield one;
    else if (isAboutInstitution(one)) return;
    else skipped.add(one.change);
    isFirst = false;
  }
}

/** Changes that wait for a later group. */
class SkippedChanges {
  private readonly ids = new Set<string>();
  private readonly named = new Set<string>();
  private readonly kinds = new Set<string>();

  constructor(private readonly inOrder: ReadonlySet<string>) {}

  add({ kind, id, content }: Change): void {
    this.ids.add(id);
    for (const reference of content?.references ?? []) this.named.add(reference.id);
    if (this.inOrder.has(kind)) this.kinds.add(kind);
  }

  /**
   * Whether a change depends on a skipped one: it concerns the same record, references one, is referenced by one, or must stay in order
   * with its kind.
   */
  blocks({ kind, id, content }: Change): boolean {
    if (this.ids.has(id) || this.named.has(id) || this.kinds.has(kind)) return true;
    return content?.references.some((reference) => this.ids.has(reference.id)) === true;
  }
}

function recordOf({ kind, id }: Change): string {
  return `${kind}/${id}`;
}

function isRemoval(one: WaitingChange | undefined): boolean {
  return one?.change.content === null;
}

function isAboutInstitution({ change: { id, institutionId } }: WaitingChange): boolean {
  return id === institutionId;
}
