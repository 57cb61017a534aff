import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

/** A limit of CPU time for a group of processes. */
export interface ProcessorShare {
  /** Removes the limit. The processes must have ended. */
  close(): Promise<void>;
}

/**
 * Limits a process and its future children to a share of a core, by creating a control group (cgroups(7), version 1 or 2).
 *
 * @param share of one core, such as 0.25
 * @throws Error if the user may not create control groups, which needs root
 */
export async function limitToShare(pid: number, share: number): Promise<ProcessorShare> {
  const quota = String(share * PERIOD_US);
  const isFirstVersion = existsSync(join(ROOT, 'cpu/cpu.cfs_quota_us'));
  const group = join(ROOT, isFirstVersion ? 'cpu' : '.', `stechuhr-bench-${String(pid)}`);
  await mkdir(group);
  if (isFirstVersion) {
    await writeFile(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    await writeFile(join(group, 'cpu.cfs_quota_us'), quota);
  } else {
    const controlled = join(ROOT, 'cgroup.subtree_control');
    if (!(await readFile(controlled, 'utf8')).split(/\s/).includes('cpu')) await writeFile(controlled, '+cpu');
    await writeFile(join(group, 'cpu.max'), `${quota} ${String(PERIOD_US)}`);
  }
  await writeFile(join(group, 'cgroup.procs'), String(pid));
  return { close: () => rmdir(group) };
}
