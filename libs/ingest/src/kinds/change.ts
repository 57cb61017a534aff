import type { Content } from './kind.js';

/** What a line asks for: a record to be there with this content, or (`content` null) to be gone. */
export interface Change<C extends Content = Content, K extends string = string> {
  readonly kind: K;
  readonly institutionId: string;
  /** That of the institution where the kind has no ids. */
  readonly id: string;
  readonly content: C | null;
  /** Position in the stream of live objects; an import has none. */
  readonly sequence?: number;
  /** Runs a task as a part of what brought the change: its events belong to the same trace, also where many are written together. */
  readonly within?: <T>(task: () => T) => T;
}

/** Runs a task as a part of what brought a change. */
export function within<T>(change: Pick<Change, 'within'>, task: () => T): T {
  return change.within === undefined ? task() : change.within(task);
}

/** Why a line is not accepted, with as much of its identity as could be read. */
export interface Refusal {
  readonly kind: string | undefined;
  readonly id: string | undefined;
  readonly institutionId: string | undefined;
  readonly reason: string;
}
