import type { Task } from './task.js';

/**
 * Returns the key under which an attempt stores its file. Each attempt has its own key, so that an outdated attempt never overwrites the
 * file of the latest one.
 */
export function fileKey({ owner, id, spec }: Pick<Task, 'owner' | 'id' | 'spec'>, attempt: number): string {
  const dot = spec.fileName.lastIndexOf('.');
  const extension = dot === -1 ? '' : spec.fileName.slice(dot);
  return `${FILE_PREFIX}${owner.institutionId}/${id}/${String(attempt)}${extension}`;
}

/** The prefix of all file keys. */
export const FILE_PREFIX = 'exports/';

/** Returns the institution and the task in a file key. */
export function ownerOfFile(key: string): { readonly institutionId: string; readonly taskId: string } {
  const [, institutionId = '', taskId = ''] = key.split('/');
  return { institutionId, taskId };
}

/** Returns the keys of all attempts so far, because failed attempts may have left files. */
export function fileKeys(task: Task): readonly string[] {
  return Array.from({ length: task.attempt }, (_, before) => fileKey(task, before + 1));
}
