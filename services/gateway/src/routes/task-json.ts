import { tasksV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { formatLocalDateTime } from '@stechuhr/worktime';

/** A task as the export endpoints answer it, in the order of the spec's fields. */
export function exportTaskJson(task: tasksV1.ExportTask | undefined): object {
  const { id, createdAt, finishedAt, status, target } = present(task);
  return {
    id,
    created_at: formatLocalDateTime(createdAt),
    finished_at: local(finishedAt),
    status: statusOf(status),
    target: target ?? null,
  };
}

/** A task as the task endpoints answer it, in the order of the spec's fields. */
export function taskJson(task: tasksV1.Task | undefined): object {
  const { id, status, label, description, action, createdAt, startedAt, finishedAt, result } = present(task);
  return {
    id,
    status: statusOf(status),
    label: label ?? null,
    description: description ?? null,
    action,
    created_at: formatLocalDateTime(createdAt),
    started_at: local(startedAt),
    finished_at: local(finishedAt),
    result:
      result === undefined
        ? null
        : { file: result.file, skipped: result.skipped.map(({ id: employee, name, reason }) => ({ id: employee, name, reason })) },
  };
}

function present<T>(task: T | undefined): T {
  if (task === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error('The answer has no task.') });
  return task;
}

function local(instant: number | undefined): string | null {
  return instant === undefined ? null : formatLocalDateTime(instant);
}

function statusOf(status: tasksV1.TaskStatus): string {
  switch (status) {
    case tasksV1.TaskStatus.TASK_STATUS_CREATED:
      return 'created';
    case tasksV1.TaskStatus.TASK_STATUS_IN_PROGRESS:
      return 'in_progress';
    case tasksV1.TaskStatus.TASK_STATUS_FINISHED:
      return 'finished';
    case tasksV1.TaskStatus.TASK_STATUS_ERROR:
      return 'error';
    default:
      throw new AppError('internal', 'Internal error.', { cause: new Error(`Unknown status ${String(status)}.`) });
  }
}
