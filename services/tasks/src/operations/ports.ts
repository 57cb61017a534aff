import type { Clock, PageRequest } from '@stechuhr/kernel';
import type { Change, Fact, Owner, Task } from '../domain/task.js';

/** Selection and order of a list of tasks. */
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

/** Stores tasks. Deleted tasks are visible to the sweep only. */
export interface TaskStore {
  /** @returns false if another task has the fingerprint */
  insert(owner: Owner, change: Change): Promise<boolean>;
  findByFingerprint(owner: Owner, fingerprint: string): Promise<Task | undefined>;
  find(owner: Owner, id: string): Promise<Task | undefined>;
  /** Counts tasks that are not in error. */
  count(owner: Owner, query: ListQuery): Promise<number>;
  list(owner: Owner, query: ListQuery): AsyncIterable<Task>;

  /** All of the owner's tasks, including those that lists hide. */
  ofOwner(owner: Owner): Promise<readonly Task[]>;
  /** Removes an employee from the lists of those who are missing from files, including lists that running jobs are about to report. */
  forgetSkipped(institutionId: string, employeeId: string): Promise<void>;

  /** Finds a task for a worker, which does not act on behalf of a caller. Without the institution all shards are queried. */
  findJob(id: string, institutionId: string | undefined): Promise<Task | undefined>;
  /**
   * Writes a change of a task with its events, and does the next step if that is due at once.
   * @returns false if the task has changed since it was read
   */
  save(before: Task, change: Change): Promise<boolean>;

  /** Some tasks for which a step is due, in the order of their due times. */
  due(range: DueRange, limit: number): Promise<Task[]>;
  /** The due time of the last of the first `limit` tasks with a due step; undefined if there are none. */
  dueUntil(range: DueRange, limit: number): Promise<string | undefined>;
  /** The oldest open tasks of an institution, by creation time. */
  oldestOpenOf(institutionId: string, limit: number): Promise<Task[]>;
  /** As `oldestOpenOf`, but only the ids. */
  oldestOpenIdsOf(institutionId: string, limit: number): Promise<string[]>;
  /** Counts the open tasks of an institution, but not beyond the limit. */
  countOpenOf(institutionId: string, limit: number): Promise<number>;
  /** Since when the longest waiting open task has been admitted, in epoch milliseconds; undefined if there is none. */
  oldestTurn(): Promise<number | undefined>;
  /** How many tasks have had a step due since before that time, and some of them. */
  overdue(before: number, examples: number): Promise<{ readonly count: number; readonly ids: readonly string[] }>;
  /** Tasks of all owners whose file was stored at that time or later. */
  finishedSince(time: number): AsyncIterable<Task>;
  /** Those of the ids for which there is a task, including deleted ones. */
  existing(institutionId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the task itself, unless it has changed or has unpublished events. */
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
  /** All export files, grouped by institution. */
  list(): AsyncIterable<StoredFile>;
  has(key: string): Promise<boolean>;
  /** Removes files, if they exist. */
  remove(keys: readonly string[]): Promise<void>;
  /** A secret: anyone with this URL can download the file. */
  addressOf(key: string, expiresSeconds: number, fileName: string): string;
}

/** The queue from which workers take jobs. */
export interface Jobs {
  publish(task: Task): Promise<void>;
  /** Publishes a dead letter of a failed job, for operators. */
  bury(task: Task): Promise<void>;
}

/** What the operations need, regardless of the caller. */
export interface Ports {
  readonly tasks: TaskStore;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** How many jobs of an institution may be queued or running. */
  readonly jobsPerInstitution: number;
  /** The trace of the current call. */
  traceparent(): string | undefined;
  /** Counts and publishes what happened; does not block. */
  changed(task: Task, facts: readonly Fact[]): void;
}
