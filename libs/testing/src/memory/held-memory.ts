import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../wait-for.js';

/** The compiled file, because services do not run in Jest. */
const PRELOAD = new URL('../../dist/memory/preload.js', import.meta.url);

/** Returns the environment variables for a process whose memory can be measured. @param folder for the results */
export function memoryVariables(folder: string): Readonly<Record<string, string>> {
  return { MEMORY_FOLDER: folder, NODE_OPTIONS: `--import=${PRELOAD.href}` };
}

/** Returns the memory of a process with {@link memoryVariables} after a garbage collection, in bytes. */
export async function heldMemory(folder: string, pid: number): Promise<NodeJS.MemoryUsage> {
  const file = join(folder, String(pid));
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  return waitFor(() => JSON.parse(readFileSync(file, 'utf8')) as NodeJS.MemoryUsage);
}
