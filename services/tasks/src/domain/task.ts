/** The owner of a task; for other callers the task does not exist. */
export interface Owner {
  readonly institutionId: string;
  readonly accountId: string;
}

export type Role = 'admin' | 'manager' | 'department_leader';

/** What the owner was allowed to see when the task was started; the job runs with these rights. */
export interface Visibility {
  readonly role: Role;
  readonly departmentIds: readonly string[];
  /** Null means all. */
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
  /** Whether its expiry was counted. */
  readonly lost: boolean;
}

/** The next step, which the service does without a request. */
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
  /** Whether the task waits until others of its institution have ended; meanwhile its job is not in the queue. */
  readonly held?: boolean;
}

/** Instants are milliseconds since the epoch. */
export interface Task {
  readonly id: string;
  readonly owner: Owner;
  readonly visibility: Visibility;
  /** Undefined once it was freed for a new task. */
  readonly fingerprint: string | undefined;
  readonly spec: ExportSpec;
  readonly label: string;
  /** Selected employees who were missing from the file when it was requested. */
  readonly skippedAtStart: number;
  readonly createdAt: number;
  /** Since when its job may be in the queue; null while other tasks of its institution go first. */
  readonly turnAt: number | null;
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
  /** How often the job was returned because a dependency was unavailable. */
  readonly waits: number;
  readonly rowsDone: number;
  readonly rowsEstimated: number;
  readonly skipped: readonly SkippedEmployee[];
  /** Employees who were deleted during the latest attempt: its worker may have read their names before. */
  readonly forgotten: readonly string[];
  readonly failure: { readonly cause: FailureCause; readonly reason: string } | null;
  readonly agenda: Agenda;
  /** Increases with each write; a write succeeds only if the version is still the one that was read. */
  readonly version: number;
}

/** What happened to a task; published as an event. */
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

/** The exporter name of daily report bundles; no exporter of the API has this name. */
export const BUNDLE = 'daily_report_bundle';

/** The kind of job: a bundle of daily reports, or an export. */
export function actionOf({ exporter }: ExportSpec): string {
  return exporter === BUNDLE ? BUNDLE : 'generic_export';
}

/** Whether its job still has to be done. */
export function isOpen({ status, deletedAt }: Task): boolean {
  return deletedAt === null && (status === 'created' || status === 'in_progress');
}

/** When its file was completed; null for tasks in error. */
export function finishedAt({ status, endedAt }: Task): number | null {
  return status === 'finished' ? endedAt : null;
}

/** Whether one view includes everything that another one shows. */
export function seesAllOf(viewer: Visibility, other: Visibility): boolean {
  return (viewer.role !== 'department_leader' || leadsAllOf(viewer, other)) && includesAll(viewer.projectIds, other.projectIds);
}

function leadsAllOf(viewer: Visibility, other: Visibility): boolean {
  return other.role === 'department_leader' && includesAll(viewer.departmentIds, other.departmentIds);
}

/** Null means all. */
function includesAll(ids: readonly string[] | null, others: readonly string[] | null): boolean {
  return ids === null || (others !== null && others.every((id) => ids.includes(id)));
}
