import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@stechuhr/kernel';
import type { Apply } from './apply.js';
import { within, type Change } from './kinds/change.js';
import type { Content } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';
import { WaitingChanges, type OrderedKind, type WaitingChange } from './waiting-changes.js';

const TERMS = { mayWait: false } as const;
/** Groups that are written at a time: while one waits for the database, another is judged. */
const GROUPS_AT_A_TIME = 4;
/** Removals take long with what belongs to a record: there is always a place for the others. */
const REMOVALS_AT_A_TIME = GROUPS_AT_A_TIME - 1;

/** Writes live changes that wait at the same time together. @returns what became of one */
export type ApplyOne<C extends Content = Content, K extends string = string> = (change: Change<C, K>) => Promise<Outcome>;

/**
 * Writes live changes in groups, as an import does: one that comes alone at once, and what has come meanwhile together. Of an institution
 * one group is written at a time, and what depends on a change comes behind it; institutions take turns, also within a group. The result is
 * that of one change after the other. When a group fails, each of its changes is tried by itself, unless a server is unavailable.
 */
export function applyInGroups<C extends Content, K extends string>(apply: Apply<C, K>, kinds: readonly OrderedKind[]): ApplyOne<C, K> {
  const waiting = new WaitingChanges<C, K>(kinds);
  const running = { all: 0, removals: 0 };
  let isScheduled = false;
  const beginAll = (): void => {
    isScheduled = false;
    while (running.all < GROUPS_AT_A_TIME) {
      const group = waiting.take({ withRemovals: running.removals < REMOVALS_AT_A_TIME });
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
    // With everything that has come in the same turn of the event loop.
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
