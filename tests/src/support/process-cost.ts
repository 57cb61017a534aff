import { readFile, writeFile } from 'node:fs/promises';
import { peakMemoryMib } from './process-memory.js';

/** Resources that processes use for an operation. */
export interface Cost {
  /** User and system CPU time of all processes. */
  readonly cpuMs: number;
  /** Largest growth of the peak memory of a process. */
  readonly memoryMib: number;
}

/** Linux reports CPU time in hundredths of a second (USER_HZ, proc(5)). */
const MS_PER_TICK = 10;

/** Measures processes with /proc; without /proc all values are 0. */
export async function costOf(pids: readonly number[], run: () => Promise<unknown>): Promise<Cost> {
  // Resets the peak memory to the current value.
  await Promise.all(pids.map((pid) => writeFile(`/proc/${String(pid)}/clear_refs`, '5').catch(() => undefined)));
  const before = await Promise.all(pids.map(stateOf));
  await run();
  const after = await Promise.all(pids.map(stateOf));
  const grown = after.map(({ peakMib }, at) => peakMib - (before[at]?.peakMib ?? 0));
  const spent = after.map(({ cpuMs }, at) => cpuMs - (before[at]?.cpuMs ?? 0));
  return { cpuMs: spent.reduce((sum, ms) => sum + ms, 0), memoryMib: Math.max(0, ...grown) };
}

async function stateOf(pid: number): Promise<{ readonly cpuMs: number; readonly peakMib: number }> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '');
  // Fields are counted after the program name, which may contain blanks; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK, peakMib: (await peakMemoryMib(pid)) ?? 0 };
}
