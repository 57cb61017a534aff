import type { Prepared } from '../harness/types.js';
import { download, type DownloadOptions } from './download.js';
import { toValues } from './measured-download.js';
import type { BenchPlatform } from './platform.js';

export interface PlatformCase {
  readonly platform: BenchPlatform;
  readonly quick: boolean;
  /** Services whose memory, CPU time and event loop delays are measured. */
  readonly services: readonly string[];
  /** Values for all variants. */
  readonly values: object;
  /** Values for each variant. */
  readonly runs: Readonly<Record<string, object>>;
  /** Variants for which the services are restarted first, because the other variants also run in new processes. */
  readonly fresh?: readonly string[];
  /** A request that is sent once after a restart, so that connections are open and code is compiled before the measurement. */
  readonly warmUp?: Pick<DownloadOptions, 'url' | 'token'>;
  readonly notes?: readonly string[];
}

/** Returns the preparation of a case that runs on the platform. */
export function preparedOn({ platform, quick, services, values, runs, fresh = [], warmUp, notes = [] }: PlatformCase): Prepared {
  return {
    values: toValues(values),
    notes: [...notes, platform.note],
    before: async (variant) => {
      if (fresh.includes(variant) && !quick) {
        await platform.restart(services);
        if (warmUp !== undefined) await download(warmUp);
      }
      return toValues({ processes: platform.processes(services), ...runs[variant] });
    },
    close: async () => {},
  };
}

const shared = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

/** Variants that several cases use with different values. */
export const downloadVariant = shared('download');
export const drainVariant = shared('drain');
export const smallGetsVariant = shared('small-gets');
