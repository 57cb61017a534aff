import type { Task } from './task.js';

/** Where an attempt stores its file: a key of its own, so that a late loser never touches the winner's. */
export function fileKey({ owner, id, spec }: Pick<Task, 'owner' | 'id' | 'spec'>, attempt: number): string {
  const dot = spec.fileName.lastIndexOf('.');
  const extension = dot === -1 ? '' : spec.fileName.slice(dot);
  return `exports/${owner.institutionId}/${id}/${String(attempt)}${extension}`;
}

/** Of all attempts so far: some may have left a file that nobody refers to. */
export function fileKeys(task: Task): readonly string[] {
  return Array.from({ length: task.attempt }, (_, before) => fileKey(task, before + 1));
}
