import { join } from 'node:path';

/** Returns the path of the Unix socket on which the probe of a process answers. */
export function probePath(folder: string, pid: number): string {
  return join(folder, `${pid}.sock`);
}
