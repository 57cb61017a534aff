import type { Clock, Logger, PageRequest } from '@stechuhr/kernel';
import type { Change, Fact, Owner, Task } from '../domain/task.js';

/** The filter, order and page of a list of tasks. */
export interface ListQuery extends PageRequest {
  /** Undefined means all. */
  readonly ids: readonly string[] | undefined;
  readonly oldestFirst: boolean;
}

/** A range of due dates in ISO 8601: after `after`, which may be empty, up to and including `upTo`. */
export interface DueRange {
  readonly after: string;
  readonly upTo: string;
}

/** Stores tasks. Deleted tasks are found only by the periodic sweep. */
export interface TaskStore {
  /** Inserts a task. Returns false if another task has the same fingerprint. */
  insert(owner: Owner, change: Change): Promise<boolean>;
  findByFingerprint(owner: Owner, fingerprint: string): Promise<Task | undefined>;
  find(owner: Owner, id: string): Promise<Task | undefined>;
  /** Counts the tasks that did not end in error. */
  count(owner: Owner, query: ListQuery): Promise<number>;
  list(owner: Owner, query: ListQuery): AsyncIterable<Task>;

  /** Returns the ids of some tasks of the owner, including those that lists hide. */
  idsOf(owner: Owner, limit: number): Promise<readonly string[]>;
  /** Removes an employee from the lists of employees whom files leave out, including lists that a running job is about to report. */
  forgetSkipped(institutionId: string, employeeId: string): Promise<void>;

  /** Finds a task for workers, whose calls have no caller. Without the institution, the whole database is queried. */
  findJob(id: string, institutionId: string | undefined): Promise<Task | undefined>;
  /**
   * Writes a change with its events. If the next step is due at once, it is performed. Returns false if the task has changed since it was
   * read.
   */
  save(before: Task, change: Change): Promise<boolean>;

  /**
   * Returns some tasks with a due step, the longest due first. What no step needs is left out: visibility, parameters, label and skipped
   * employees.
   */
  due(range: DueRange, limit: number): Promise<Task[]>;
  /** Returns the due date of the last of the first `limit` due tasks in the range; undefined if there are none. */
  dueUntil(range: DueRange, limit: number): Promise<string | undefined>;
  /**
   * Returns the first open tasks of an institution, as `due` does: by the number of times that they waited for an unavailable dependency, then by
   * creation. So two tasks that wait for a service do not keep back those that do not need it.
   */
  firstOpenOf(institutionId: string, limit: number): Promise<Task[]>;
  /** Returns only the ids of the first open tasks. */
  firstOpenIdsOf(institutionId: string, limit: number): Promise<string[]>;
  /** Counts the open tasks of an institution, up to the limit. */
  countOpenOf(institutionId: string, limit: number): Promise<number>;
  /** Returns when the longest-admitted open task was admitted, in epoch milliseconds; undefined if there is none. */
  oldestAdmission(): Promise<number | undefined>;
  /** Counts the tasks with a step that has been due since before this time, with some of their ids. */
  overdue(before: number, examples: number): Promise<{ readonly count: number; readonly ids: readonly string[] }>;
  /** Returns the tasks of all owners that finished at or after this time. */
  finishedSince(time: number): AsyncIterable<Task>;
  /** Returns the ids that exist, including those of deleted tasks. */
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
  /** Lists all export files, grouped by institution. */
  list(): AsyncIterable<StoredFile>;
  has(key: string): Promise<boolean>;
  /** Removes files; missing ones are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Returns a download address. It must be kept secret, because anyone who has it can download the file. */
  addressOf(key: string, expiresSeconds: number, fileName: string): string;
}

/** The queue from which workers take jobs. */
export interface Jobs {
  publish(task: Task): Promise<void>;
  /** Publishes a dead letter about a failed job for operators. */
  bury(task: Task): Promise<void>;
}

/** The dependencies of the operations. */
export interface Ports {
  readonly tasks: TaskStore;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns since when workers could report, in epoch milliseconds. */
  reachableSince(): number;
  /** The maximum number of jobs of an institution that are in the queue or claimed. */
  readonly jobsPerInstitution: number;
  /** Returns the trace context of the current call. */
  traceparent(): string | undefined;
  /** Counts facts and notifies the relay. Does not wait. */
  changed(task: Task, facts: readonly Fact[]): void;
}
