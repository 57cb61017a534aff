import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@stechuhr/kernel';
import type { Apply } from './apply.js';
import { within, type Change } from './kinds/change.js';
import type { Content } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';
import { WaitingChanges, type OrderedKind, type WaitingChange } from './waiting-changes.js';

const TERMS = { mayWait: false } as const;
/** While one group waits for the database, another one is validated. */
const MAX_CONCURRENT_GROUPS = 4;
/** A removal takes long because it also deletes the dependent records, so one slot is reserved for groups that write. */
const MAX_CONCURRENT_REMOVALS = MAX_CONCURRENT_GROUPS - 1;

/** Writes one live change, together with others that are waiting. @returns the outcome of this change */
export type ApplyOne<C extends Content = Content, K extends string = string> = (change: Change<C, K>) => Promise<Outcome>;

/**
 * Writes live changes in groups, as an import does. A change that arrives while nothing is being written is written at once; changes that
 * arrive meanwhile form the next groups.
 *
 * - For each institution, only one group is written at a time. A change that depends on another one is written after it.
 * - Institutions take turns, both between groups and within a group.
 * - The result is the same as if the changes were written one after the other.
 * - When a group fails, each of its changes is tried alone, unless a server is unavailable.
 */
export function applyInGroups<C extends Content, K extends string>(apply: Apply<C, K>, kinds: readonly OrderedKind[]): ApplyOne<C, K> {
  const waiting = new WaitingChanges<C, K>(kinds);
  const running = { all: 0, removals: 0 };
  let isScheduled = false;
  const beginAll = (): void => {
    isScheduled = false;
    while (running.all < MAX_CONCURRENT_GROUPS) {
      const group = waiting.take({ withRemovals: running.removals < MAX_CONCURRENT_REMOVALS });
      const [first] = group;
      if (first === undefined) return;
      const removals = first.change.content === null ? 1 : 0;
      running.all += 1;
      running.removals += removals;
      const end = (): void => {
        running.all -= 1;
        running.removals -= removals;
        waiting.release(group);
        beginAll();
      };
      void within(first.change, () => settle(apply, group)).finally(end);
    }
  };
  return (change) => {
    const outcome = Promise.withResolvers<Outcome>();
    waiting.add({ change: { ...change, within: AsyncLocalStorage.snapshot() }, ...outcome });
    // Deferred, so that all changes of the same iteration of the event loop are grouped.
    if (!isScheduled) setImmediate(beginAll);
    isScheduled = true;
    return outcome.promise;
  };
}

/** Never rejects: each change has its own outcome. */
async function settle<C extends Content, K extends string>(apply: Apply<C, K>, group: readonly WaitingChange<C, K>[]): Promise<void> {
  try {
    const outcomes = await apply(
      group.map(({ change }) => change),
      TERMS,
    );
    for (const [index, one] of group.entries()) resolveAs(one, outcomes[index]);
  } catch (caught) {
    const error = AppError.from(caught);
    const canWriteOthers = error.code !== 'unavailable' || error.isOfRecord;
    if (canWriteOthers && group.length > 1) return settleAlone(apply, group);
    for (const { reject } of group) reject(caught);
  }
}

async function settleAlone<C extends Content, K extends string>(apply: Apply<C, K>, group: readonly WaitingChange<C, K>[]): Promise<void> {
  for (const one of group) await within(one.change, () => settle(apply, [one]));
}

function resolveAs({ change, resolve }: WaitingChange, outcome: Outcome | undefined): void {
  if (outcome === undefined) throw new Error(`The ${change.kind} ${change.id} has no outcome.`);
  resolve(outcome);
}
