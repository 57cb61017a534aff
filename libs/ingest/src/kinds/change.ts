import type { Content } from './kind.js';

/** A requested change: the record is to have this content, or (`content` null) to be removed. */
export interface Change<C extends Content = Content, K extends string = string> {
  readonly kind: K;
  readonly institutionId: string;
  /** The id of the institution if records of the kind have no ids of their own. */
  readonly id: string;
  readonly content: C | null;
  /** Sequence in the stream of live objects; undefined for imports. */
  readonly sequence?: number;
  /** The version of the record that the change is made from, 0 if there was none; undefined if it replaces any. */
  readonly ifVersion?: number;
  /**
   * Runs a task in the asynchronous context of the request or message that caused the change, so that its events belong to the same trace,
   * even when many changes are written together.
   */
  readonly within?: <T>(task: () => T) => T;
}

/** Runs a task in the asynchronous context of the request or message that caused a change. */
export function within<T>(change: Pick<Change, 'within'>, task: () => T): T {
  return change.within === undefined ? task() : change.within(task);
}

/** The reason why a line is rejected, with as much of its identity as could be read. */
export interface Refusal {
  readonly kind: string | undefined;
  readonly id: string | undefined;
  readonly institutionId: string | undefined;
  readonly reason: string;
}
