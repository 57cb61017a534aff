import type { Outcome } from '../harness/types.js';
import type { PlatformValues } from './measured-download.js';
import { beginUsage, endUsage } from './service-processes.js';

/**
 * Does some work and measures the cost for the services: `units` (the number that `work` returns), `recordsCpuMs`, `recordsRssMb` and so on
 * for each service, and the sums `servicesRssMb` and `servicesPssMb`; the latter counts shared pages once.
 */
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
  const servicesPssMb = usages.reduce((sum, [, { pssMb }]) => sum + pssMb, 0);
  return { values: { wallMs, units, servicesRssMb, servicesPssMb, ...Object.fromEntries(byService) } };
}
