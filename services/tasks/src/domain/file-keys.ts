import type { Task } from './task.js';

/** The key under which an attempt stores its file; each has its own, so that an outdated attempt never touches the file of the latest. */
export function fileKey({ owner, id, spec }: Pick<Task, 'owner' | 'id' | 'spec'>, attempt: number): string {
  const dot = spec.fileName.lastIndexOf('.');
  const extension = dot === -1 ? '' : spec.fileName.slice(dot);
  return `exports/${owner.institutionId}/${id}/${String(attempt)}${extension}`;
}

/** Of all attempts so far: some may have left a file without a reference. */
export function fileKeys(task: Task): readonly string[] {
  return Array.from({ length: task.attempt }, (_, before) => fileKey(task, before + 1));
}
