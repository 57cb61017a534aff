import { tasksV1 } from '@stechuhr/contracts';
import { formatLocalDateTime } from '@stechuhr/worktime';
import { localTimeOf, present, wordFor } from '../openapi/shape.js';

const { TaskStatus } = tasksV1;

const statuses = {
  [TaskStatus.TASK_STATUS_CREATED]: 'created',
  [TaskStatus.TASK_STATUS_IN_PROGRESS]: 'in_progress',
  [TaskStatus.TASK_STATUS_FINISHED]: 'finished',
  [TaskStatus.TASK_STATUS_ERROR]: 'error',
};

/** Returns a task as the export endpoints show it, with its fields in the order of the spec. */
export function exportTaskJson(task: tasksV1.ExportTask | undefined): object {
  const { id, createdAt, finishedAt, status, target } = present(task, 'task');
  return {
    id,
    created_at: formatLocalDateTime(createdAt),
    finished_at: localTimeOf(finishedAt),
    status: wordFor(statuses, status),
    target: target ?? null,
  };
}

/** Returns a task as the task endpoints show it, with its fields in the order of the spec. */
export function taskJson(task: tasksV1.Task | undefined): object {
  const { id, status, label, description, action, createdAt, startedAt, finishedAt, result } = present(task, 'task');
  return {
    id,
    status: wordFor(statuses, status),
    label: label ?? null,
    description: description ?? null,
    action,
    created_at: formatLocalDateTime(createdAt),
    started_at: localTimeOf(startedAt),
    finished_at: localTimeOf(finishedAt),
    result:
      result === undefined
        ? null
        : { file: result.file, skipped: result.skipped.map(({ id: employee, name, reason }) => ({ id: employee, name, reason })) },
  };
}
