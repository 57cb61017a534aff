import { readFile, writeFile } from 'node:fs/promises';
import { peakMemoryMib } from './process-memory.js';

/** What processes spend on something. */
export interface Cost {
  /** Of all of them together, in user and kernel mode. */
  readonly cpuMs: number;
  /** How much the memory of one grew at its peak, at most. */
  readonly memoryMib: number;
}

/** Linux counts CPU time in hundredths of a second, whatever its kernel does (proc(5)). */
const MS_PER_TICK = 10;

/** Measures processes from /proc; where there is none, nothing costs anything. */
export async function costOf(pids: readonly number[], run: () => Promise<unknown>): Promise<Cost> {
  // Sets the peak back to what is used now.
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
  // Behind the name, which may hold blanks; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK, peakMib: (await peakMemoryMib(pid)) ?? 0 };
}
