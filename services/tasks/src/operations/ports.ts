import type { Clock, PageRequest } from '@stechuhr/kernel';
import type { Change, Fact, Owner, Task } from '../domain/task.js';

/** Which tasks of an owner are listed, and in which order. */
export interface ListQuery extends PageRequest {
  /** Undefined means all. */
  readonly ids: readonly string[] | undefined;
  readonly oldestFirst: boolean;
}

/** Instants in ISO 8601: later than `after`, which may be empty, up to and including `upTo`. */
export interface DueRange {
  readonly after: string;
  readonly upTo: string;
}

/** Tasks that were deleted are not found, except by the sweep. */
export interface TaskStore {
  /** False when another task has the fingerprint. */
  insert(owner: Owner, change: Change): Promise<boolean>;
  findByFingerprint(owner: Owner, fingerprint: string): Promise<Task | undefined>;
  find(owner: Owner, id: string): Promise<Task | undefined>;
  /** Those that did not end in error. */
  count(owner: Owner, query: ListQuery): Promise<number>;
  list(owner: Owner, query: ListQuery): AsyncIterable<Task>;

  /** All of them, also those that lists hide. */
  ofOwner(owner: Owner): Promise<readonly Task[]>;
  /** Takes an employee out of the lists of those that a file leaves out, also out of those that a running job is about to report. */
  forgetSkipped(institutionId: string, employeeId: string): Promise<void>;

  /** For workers, who act for no caller. Without the institution the whole database is asked. */
  findJob(id: string, institutionId: string | undefined): Promise<Task | undefined>;
  /**
   * Writes the change of a task, with its events, and has the next step done when that is due at once; false when the task has changed since
   * it was read.
   */
  save(before: Task, change: Change): Promise<boolean>;

  /** Some tasks for which a step is due, the longest due first. */
  due(range: DueRange, limit: number): Promise<Task[]>;
  /** The instant at which so many of the tasks for which a step is due end, or all of them; undefined where there is none. */
  dueUntil(range: DueRange, limit: number): Promise<string | undefined>;
  /** The oldest open tasks of an institution, by their creation. */
  oldestOpenOf(institutionId: string, limit: number): Promise<Task[]>;
  /** And their ids alone. */
  oldestOpenIdsOf(institutionId: string, limit: number): Promise<string[]>;
  /** How many open tasks an institution has; counts no further than the limit. */
  countOpenOf(institutionId: string, limit: number): Promise<number>;
  /** Since when it has been the turn of the open task whose turn came first, in epoch milliseconds; undefined without one. */
  oldestTurn(): Promise<number | undefined>;
  /** How many tasks have had a step due since then, and some of them. */
  overdue(before: number, examples: number): Promise<{ readonly count: number; readonly ids: readonly string[] }>;
  /** Tasks whose file was stored then or later, of any owner. */
  finishedSince(time: number): AsyncIterable<Task>;
  /** Those of the ids that a task has, also one that was deleted. */
  existing(institutionId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the task itself, unless it has changed or events of it still wait. */
  drop(task: Task): Promise<boolean>;
}

/** A file in the store, by the parts of its key. */
export interface StoredFile {
  readonly key: string;
  readonly institutionId: string;
  readonly taskId: string;
  readonly modifiedAt: number;
}

export interface Files {
  /** All files of exports, those of an institution one after the other. */
  list(): AsyncIterable<StoredFile>;
  has(key: string): Promise<boolean>;
  /** There may be none. */
  remove(keys: readonly string[]): Promise<void>;
  /** Anyone with this address can download the file: a secret. */
  addressOf(key: string, expiresSeconds: number, fileName: string): string;
}

/** The queue that workers take jobs from. */
export interface Jobs {
  publish(task: Task): Promise<void>;
  /** Publishes a dead letter of a failed job, for operators. */
  bury(task: Task): Promise<void>;
}

/** What the operations need, independent of the caller. */
export interface Ports {
  readonly tasks: TaskStore;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Jobs of an institution that are in the queue or with a worker at a time. */
  readonly jobsPerInstitution: number;
  /** The trace of the present call. */
  traceparent(): string | undefined;
  /** Counts what happened and has it published; returns at once. */
  changed(task: Task, facts: readonly Fact[]): void;
}
