import { tasksV1 } from '@stechuhr/contracts';
import { formatLocalDateTime } from '@stechuhr/worktime';

const { TaskStatus } = tasksV1;

/** A task as the API returns it. */
export interface ShownTask {
  readonly id: string;
  readonly status: string;
  readonly label: string | null;
  readonly action: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly file: string | null;
  readonly skipped: readonly { readonly id: string; readonly name: string; readonly reason: string }[];
}

export function toShown({ id, status, label, action, createdAt, startedAt, finishedAt, result }: tasksV1.Task): ShownTask {
  return {
    id,
    status: statusName(status),
    label: label ?? null,
    action,
    created_at: formatLocalDateTime(createdAt),
    started_at: local(startedAt),
    finished_at: local(finishedAt),
    file: result?.file ?? null,
    skipped: (result?.skipped ?? []).map(({ id: employee, name, reason }) => ({ id: employee, name, reason })),
  };
}

export function statusName(status: tasksV1.TaskStatus): string {
  switch (status) {
    case TaskStatus.TASK_STATUS_CREATED:
      return 'created';
    case TaskStatus.TASK_STATUS_IN_PROGRESS:
      return 'in_progress';
    case TaskStatus.TASK_STATUS_FINISHED:
      return 'finished';
    default:
      return 'error';
  }
}

function local(instant: number | undefined): string | null {
  return instant === undefined ? null : formatLocalDateTime(instant);
}
