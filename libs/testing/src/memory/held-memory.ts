import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../wait-for.js';

/** The compiled file, since services are not started by Jest. */
const PRELOAD = new URL('../../dist/memory/preload.js', import.meta.url);

/**
 * The variables of a process whose memory can be measured.
 * @param folder for the results
 */
export function memoryVariables(folder: string): Readonly<Record<string, string>> {
  return { MEMORY_FOLDER: folder, NODE_OPTIONS: `--import=${PRELOAD.href}` };
}

/** The memory in use by a process with {@link memoryVariables} after a garbage collection, in bytes. */
export async function heldMemory(folder: string, pid: number): Promise<NodeJS.MemoryUsage> {
  const file = join(folder, String(pid));
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  return waitFor(() => JSON.parse(readFileSync(file, 'utf8')) as NodeJS.MemoryUsage);
}
