import type { Task } from './task.js';

/** The key under which an attempt stores its file; each has its own, so that an outdated attempt never touches the file of the latest. */
export function fileKey({ owner, id, spec }: Pick<Task, 'owner' | 'id' | 'spec'>, attempt: number): string {
  const dot = spec.fileName.lastIndexOf('.');
  const extension = dot === -1 ? '' : spec.fileName.slice(dot);
  return `${FILE_PREFIX}${owner.institutionId}/${id}/${String(attempt)}${extension}`;
}

/** With what the keys of all files begin. */
export const FILE_PREFIX = 'exports/';

/** Whose file a key names. */
export function ownerOfFile(key: string): { readonly institutionId: string; readonly taskId: string } {
  const [, institutionId = '', taskId = ''] = key.split('/');
  return { institutionId, taskId };
}

/** Of all attempts so far: some may have left a file without a reference. */
export function fileKeys(task: Task): readonly string[] {
  return Array.from({ length: task.attempt }, (_, before) => fileKey(task, before + 1));
}
