import type { Change } from './kinds/change.js';
import type { Content, Kind } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';

/** A change that waits until it is written, and whom to tell. */
export interface WaitingChange<C extends Content = Content, K extends string = string> {
  readonly change: Change<C, K>;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** What decides which changes of a kind may be written before others. */
export type OrderedKind = Pick<Kind, 'name' | 'order' | 'excludesOthers'>;

/** A month document is about 13 kB: so many of them are some hundredths of a second. */
const MOST = 100;

/** Live changes in the order in which they came, by institution. */
export class WaitingChanges<C extends Content = Content, K extends string = string> {
  /** Those that were served last are last. */
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
   * Takes what may be written together, of institutions of which nothing is being written: in turns by institution, at most a hundred. A group
   * has each record once. Removals are in groups of their own institution and kind. What does not fit waits for a later group, and with it
   * whatever depends on it.
   *
   * @returns nothing when there is nothing
   */
  take({ withRemovals }: { readonly withRemovals: boolean }): readonly WaitingChange<C, K>[] {
    const free = [...this.lines].filter(([institutionId, [head]]) => !this.busy.has(institutionId) && (withRemovals || !isRemoval(head)));
    const [[, firstLine = []] = []] = free;
    const [first] = firstLine;
    if (first === undefined) return [];
    const taken = isRemoval(first)
      ? this.turnsOf([firstLine], (one) => isRemoval(one) && one.change.kind === first.change.kind)
      : this.turnsOf(
          free.map(([, line]) => line),
          (one) => !isRemoval(one),
        );
    this.remove(taken);
    return taken;
  }

  /** The changes of a group were written. */
  release(group: readonly WaitingChange<C, K>[]): void {
    for (const { change } of group) this.busy.delete(change.institutionId);
  }

  /** What fits of some lines, one of each line after the other. */
  private turnsOf(lines: readonly (readonly WaitingChange<C, K>[])[], fits: (one: WaitingChange<C, K>) => boolean): WaitingChange<C, K>[] {
    const taken: WaitingChange<C, K>[] = [];
    const records = new Set<string>();
    const fitsHere = (one: WaitingChange<C, K>) => fits(one) && !records.has(recordOf(one.change));
    let open = lines.map((line) => fitting(line, fitsHere, this.inOrder));
    while (open.length > 0 && taken.length < MOST) {
      open = open.filter((line) => {
        const { value } = taken.length < MOST ? line.next() : { value: undefined };
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

/** The changes of a line that fit and depend on none before them that does not. */
function* fitting<T extends WaitingChange>(
  line: readonly T[],
  fits: (one: T) => boolean,
  inOrder: ReadonlySet<string>,
): Generator<T, undefined, undefined> {
  const passed = new Passed(inOrder);
  let isFirst = true;
  for (const one of line) {
    // What a line says about the institution may take away what lines before it name.
    if (isAboutInstitution(one) && !isFirst) return;
    if (fits(one) && !passed.keepBack(one.change)) yield one;
    else if (isAboutInstitution(one)) return;
    else passed.add(one.change);
    isFirst = false;
  }
}

/** Changes that wait for a later group. */
class Passed {
  private readonly ids = new Set<string>();
  private readonly named = new Set<string>();
  private readonly kinds = new Set<string>();

  constructor(private readonly inOrder: ReadonlySet<string>) {}

  add({ kind, id, content }: Change): void {
    this.ids.add(id);
    for (const reference of content?.references ?? []) this.named.add(reference.id);
    if (this.inOrder.has(kind)) this.kinds.add(kind);
  }

  /** Whether a change depends on them: it is of the same record, names one, is named by one, or keeps the order of its kind. */
  keepBack({ kind, id, content }: Change): boolean {
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
