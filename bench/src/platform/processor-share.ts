import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

/** Processes that share a bound of CPU time. */
export interface ProcessorShare {
  /** When none of them runs any more. */
  close(): Promise<void>;
}

/**
 * Holds a process, and what it starts from now on, to a share of a core by a control group of its own (cgroups(7), version 1 or 2).
 *
 * @param share of one core, 0.25
 * @throws where control groups may not be made, which takes root
 */
export async function holdToShare(pid: number, share: number): Promise<ProcessorShare> {
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
