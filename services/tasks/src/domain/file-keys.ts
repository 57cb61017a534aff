import type { Task } from './task.js';

/**
 * The key under which an attempt stores its file. Each attempt has its own key, so that an outdated attempt never touches the file of the latest one.
 */
export function fileKey({ owner, id, spec }: Pick<Task, 'owner' | 'id' | 'spec'>, attempt: number): string {
  const dot = spec.fileName.lastIndexOf('.');
  const extension = dot === -1 ? '' : spec.fileName.slice(dot);
  return `${FILE_PREFIX}${owner.institutionId}/${id}/${String(attempt)}${extension}`;
}

/** Prefix of the keys of all files. */
export const FILE_PREFIX = 'exports/';

/** The owner of the file with this key. */
export function ownerOfFile(key: string): { readonly institutionId: string; readonly taskId: string } {
  const [, institutionId = '', taskId = ''] = key.split('/');
  return { institutionId, taskId };
}

/** Keys of all attempts so far, since each of them may have left a file. */
export function fileKeys(task: Task): readonly string[] {
  return Array.from({ length: task.attempt }, (_, before) => fileKey(task, before + 1));
}
