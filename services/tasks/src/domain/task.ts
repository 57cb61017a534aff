/** The owner of a task. For other callers the task does not exist. */
export interface Owner {
  readonly institutionId: string;
  readonly accountId: string;
}

export type Role = 'admin' | 'manager' | 'department_leader';

/** The visibility of the owner when the task was started. Its job runs with it. */
export interface Visibility {
  readonly role: Role;
  readonly departmentIds: readonly string[];
  /** Null means all projects. */
  readonly projectIds: readonly string[] | null;
}

export interface ExportSpec {
  readonly exporter: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly fileName: string;
}

export type TaskStatus = 'created' | 'in_progress' | 'finished' | 'error';

/** Why a task ended in error. */
export type FailureCause = 'failures' | 'lost-leases' | 'invalid';

export interface SkippedEmployee {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** The right of the latest attempt to continue. An expired lease remains valid until another worker claims the job. */
export interface Lease {
  readonly until: number;
  /** Whether it expired and was counted as lost. */
  readonly lost: boolean;
}

/** The next step, which is performed without a request. */
export type Step =
  /** Publish the job for the workers. */
  | 'publish'
  /** Count the lease as lost. */
  | 'expire'
  /** Send the dead letter. */
  | 'bury'
  /** Remove the files. */
  | 'purge'
  /** Remove the task itself. */
  | 'remove';

export interface Agenda {
  readonly step: Step;
  readonly dueAt: number;
  /** Whether the task is held back until others of its institution have ended, so that its job is not in the queue. */
  readonly held?: boolean;
}

/** Instants are milliseconds since the epoch. */
export interface Task {
  readonly id: string;
  readonly owner: Owner;
  readonly visibility: Visibility;
  /** Undefined after it was freed for a new task. */
  readonly fingerprint: string | undefined;
  readonly spec: ExportSpec;
  readonly label: string;
  /** The number of selected employees that the file leaves out, as determined by the request. */
  readonly skippedAtStart: number;
  readonly createdAt: number;
  /** Since when its job may be in the queue; null while older tasks of its institution are open. */
  readonly admittedAt: number | null;
  /** W3C Trace Context of the request. */
  readonly traceparent: string | undefined;

  readonly status: TaskStatus;
  readonly startedAt: number | null;
  /** When it finished or ended in error. */
  readonly endedAt: number | null;
  readonly deletedAt: number | null;
  /** Number of the latest attempt. */
  readonly attempt: number;
  readonly lease: Lease | null;
  readonly failures: number;
  readonly lostLeases: number;
  /** How often the job was released because a dependency was unavailable, without interruptions. */
  readonly waits: number;
  /** How often a service broke the connection while the job called it. */
  readonly interruptions: number;
  readonly rowsDone: number;
  readonly rowsEstimated: number;
  readonly skipped: readonly SkippedEmployee[];
  /** Ids of employees who were deleted during the latest attempt, because its worker may have read their names before. */
  readonly forgotten: readonly string[];
  readonly failure: { readonly cause: FailureCause; readonly reason: string } | null;
  readonly agenda: Agenda;
  /** Grows with each write. Each write contains the version that it replaces. */
  readonly version: number;
}

/** A fact about a task, to be published as an event. */
export type Fact =
  | { readonly type: 'tasks.task.created'; readonly action: string; readonly account_id: string }
  | { readonly type: 'tasks.task.started' }
  | { readonly type: 'tasks.task.progressed'; readonly rows_done: number; readonly rows_estimated: number }
  | { readonly type: 'tasks.task.finished'; readonly rows: number; readonly size_bytes: number; readonly skipped: number }
  | { readonly type: 'tasks.task.failed'; readonly cause: FailureCause }
  | { readonly type: 'tasks.task.deleted' };

/** The new state of a task, and the facts to publish about it. */
export interface Change {
  readonly task: Task;
  readonly facts: readonly Fact[];
}

/** The exporter of bundles of daily reports. No exporter of the API has this name. */
export const BUNDLE = 'daily_report_bundle';

/** Returns the kind of job: a bundle of daily reports, or an export. */
export function actionOf({ exporter }: ExportSpec): string {
  return exporter === BUNDLE ? BUNDLE : 'generic_export';
}

/** Returns whether the job of a task still has to be done. */
export function isOpen({ status, deletedAt }: Task): boolean {
  return deletedAt === null && (status === 'created' || status === 'in_progress');
}

/** Returns when the file was completed; null also for a task in error. */
export function finishedAt({ status, endedAt }: Task): number | null {
  return status === 'finished' ? endedAt : null;
}

/** Returns whether a visibility includes everything that another one includes. */
export function seesAllOf(viewer: Visibility, other: Visibility): boolean {
  return (viewer.role !== 'department_leader' || leadsAllOf(viewer, other)) && includesAll(viewer.projectIds, other.projectIds);
}

function leadsAllOf(viewer: Visibility, other: Visibility): boolean {
  return other.role === 'department_leader' && includesAll(viewer.departmentIds, other.departmentIds);
}

/** Returns whether a list of ids includes another one. Null means all ids. */
function includesAll(ids: readonly string[] | null, others: readonly string[] | null): boolean {
  if (ids === null || others === null) return ids === null;
  // Mostly both are the same. With searches in arrays, two lists of ten thousand ids would take seconds, for each task of a page.
  let known: ReadonlySet<string> | undefined;
  return others.every((id, index) => id === ids[index] || (known ??= new Set(ids)).has(id));
}
