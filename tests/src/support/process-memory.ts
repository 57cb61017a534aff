import { readFile } from 'node:fs/promises';

/** Returns the peak resident memory of a process in MiB (`VmHWM`, proc(5)); `undefined` without /proc. */
export async function peakMemoryMib(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}
