import { roles, tasksV1, type commonV1 } from '@stechuhr/contracts';
import { describe } from '../domain/describe.js';
import { fileKey } from '../domain/file-keys.js';
import { actionOf, finishedAt, seesAllOf, type Owner, type Task, type TaskStatus, type Visibility } from '../domain/task.js';

const { TaskStatus: Status } = tasksV1;

const statuses: Readonly<Record<TaskStatus, tasksV1.TaskStatus>> = {
  created: Status.TASK_STATUS_CREATED,
  in_progress: Status.TASK_STATUS_IN_PROGRESS,
  finished: Status.TASK_STATUS_FINISHED,
  error: Status.TASK_STATUS_ERROR,
};

/** Converts a task for its owner, whose visibility may be smaller now than when the task was started. */
export function taskToProto(task: Task, viewer: Visibility): tasksV1.Task {
  return {
    id: task.id,
    status: statuses[task.status],
    label: task.label,
    description: describe(task) ?? undefined,
    action: actionOf(task.spec),
    createdAt: toSeconds(task.createdAt),
    startedAt: maybeSeconds(task.startedAt),
    finishedAt: maybeSeconds(finishedAt(task)),
    result: resultOf(task, viewer),
  };
}

export function exportTaskToProto(task: Task, target: string | null): tasksV1.ExportTask {
  return {
    id: task.id,
    createdAt: toSeconds(task.createdAt),
    finishedAt: maybeSeconds(finishedAt(task)),
    status: statuses[task.status],
    target: target ?? undefined,
    skipped: task.skippedAtStart,
  };
}

/** Converts the latest attempt of a task, which a worker has just claimed. */
export function exportJobToProto(task: Task, leaseMs: number): tasksV1.ExportJob {
  const { exporter, parameters, fileName } = task.spec;
  return {
    taskId: task.id,
    attempt: task.attempt,
    leaseMs,
    caller: toCallerProto(task.owner, task.visibility),
    export: { exporter, parameters: { ...parameters }, fileName },
    file: fileKey(task, task.attempt),
  };
}

function toCallerProto({ institutionId, accountId }: Owner, { role, departmentIds, projectIds }: Visibility): commonV1.Caller {
  const projects = projectIds === null ? undefined : { projectIds: [...projectIds] };
  return { institutionId, accountId, visibility: { role: roles[role], departmentIds: [...departmentIds], projects } };
}

function resultOf(task: Task, viewer: Visibility): tasksV1.TaskResult | undefined {
  if (task.status !== 'finished') return undefined;
  const named = seesAllOf(viewer, task.visibility) ? task.skipped : [];
  return { file: fileKey(task, task.attempt), skipped: named.map((employee) => ({ ...employee })) };
}

function toSeconds(time: number): number {
  return Math.floor(time / 1000);
}

function maybeSeconds(time: number | null): number | undefined {
  return time === null ? undefined : toSeconds(time);
}
