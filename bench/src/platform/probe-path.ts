import { join } from 'node:path';

/** Where a process answers its probe. */
export function probePath(folder: string, pid: number): string {
  return join(folder, `${pid}.sock`);
}
