import type { Outcome, Values } from '../harness/types.js';
import { download, type DownloadOptions, type Downloaded } from './download.js';
import { beginUsage, endUsage, type ServiceProcesses, type ServiceUsage } from './service-processes.js';

/** Values that a case on the platform passes to its variants, in addition to its own values. */
export interface PlatformValues {
  readonly url: string;
  readonly token: string;
  readonly processes: ServiceProcesses;
}

/** Casts the values of a case to their real type, which its own `prepare` has created. */
export function platformValues<Own extends object = object>(values: Values): PlatformValues & Own {
  return values as unknown as PlatformValues & Own;
}

/** Casts an object to values of a case; the counterpart of {@link platformValues}. */
export function toValues(own: object): Values {
  return own as unknown as Values;
}

/** Downloads a file and measures the cost for the client and the services. */
export async function measuredDownload(
  { url, token, processes }: PlatformValues,
  options: Partial<DownloadOptions> = {},
): Promise<Outcome> {
  const begun = await beginUsage(processes);
  const downloaded = await download({ url, token, ...options });
  return outcomeOf(downloaded, await endUsage(processes, begun));
}

/**
 * Returns the measures of a variant: `recordsRssMb`, `recordsCpuMs`, `exportsGapMs` and so on for each service; `servicesCpuMs` is the sum
 * over all services, and `largestRssMb`, `longestGapMs` and `longestBusyMs` are the maxima.
 */
export function outcomeOf({ wallMs, firstByteMs, bytes, digest }: Downloaded, usages: Readonly<Record<string, ServiceUsage>>): Outcome {
  const byService = Object.entries(usages).flatMap(([name, { rssMb, cpuMs, gapMs, busyMs }]) => [
    [`${name}RssMb`, rssMb],
    [`${name}CpuMs`, cpuMs],
    [`${name}GapMs`, gapMs],
    [`${name}BusyMs`, busyMs],
  ]);
  const all = Object.values(usages);
  const together = {
    servicesCpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    largestRssMb: Math.max(...all.map(({ rssMb }) => rssMb)),
    longestGapMs: Math.max(...all.map(({ gapMs }) => gapMs)),
    longestBusyMs: Math.max(...all.map(({ busyMs }) => busyMs)),
  };
  const values = { wallMs, firstByteMs, fileMb: bytes / 2 ** 20, ...together, ...Object.fromEntries(byService) };
  return { values, ...(digest === undefined ? {} : { digest }) };
}
