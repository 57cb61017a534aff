import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../wait-for.js';

/** Compiled: a service is not started by Jest. */
const PRELOAD = new URL('../../dist/memory/preload.js', import.meta.url);

/** The variables of a process that can be asked what it holds. @param folder of the answers */
export function memoryVariables(folder: string): Readonly<Record<string, string>> {
  return { MEMORY_FOLDER: folder, NODE_OPTIONS: `--import=${PRELOAD.href}` };
}

/** What a process with {@link memoryVariables} holds in memory after it has collected its garbage, in bytes. */
export async function heldMemory(folder: string, pid: number): Promise<NodeJS.MemoryUsage> {
  const file = join(folder, String(pid));
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  return waitFor(() => JSON.parse(readFileSync(file, 'utf8')) as NodeJS.MemoryUsage);
}
