import type { Outcome } from '../harness/types.js';
import type { PlatformValues } from './measured-download.js';
import { beginUsage, endUsage } from './service-processes.js';

/** Does some work that is counted in units, and measures what the services needed: `units`, `recordsCpuMs`, `recordsRssMb` and so on, and `servicesRssMb` together. */
export async function measuredWork({ processes }: Pick<PlatformValues, 'processes'>, work: () => Promise<number>): Promise<Outcome> {
  const begun = await beginUsage(processes);
  const startedAt = performance.now();
  const units = await work();
  const wallMs = performance.now() - startedAt;
  const usages = Object.entries(await endUsage(processes, begun));
  const byService = usages.flatMap(([name, { rssMb, cpuMs }]) => [
    [`${name}RssMb`, rssMb],
    [`${name}CpuMs`, cpuMs],
  ]);
  const servicesRssMb = usages.reduce((sum, [, { rssMb }]) => sum + rssMb, 0);
  return { values: { wallMs, units, servicesRssMb, ...Object.fromEntries(byService) } };
}
