import type { Prepared } from '../harness/types.js';
import { download, type DownloadOptions } from './download.js';
import { toValues } from './measured-download.js';
import type { BenchPlatform } from './platform.js';

export interface PlatformCase {
  readonly platform: BenchPlatform;
  readonly quick: boolean;
  /** Services whose memory, CPU time and gaps are read. */
  readonly services: readonly string[];
  /** For all variants. */
  readonly values: object;
  /** For each variant. */
  readonly runs: Readonly<Record<string, object>>;
  /** Variants for which the services get new processes first, as every other variant has one. */
  readonly fresh?: readonly string[];
  /** Asked once of new processes, which have connected and compiled what they need when a measurement begins. */
  readonly warmUp?: Pick<DownloadOptions, 'url' | 'token'>;
  readonly notes?: readonly string[];
}

/** What a case on the platform is prepared with. */
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

/** Variants that several cases use: what they do is up to the values. */
export const downloadVariant = shared('download');
export const drainVariant = shared('drain');
export const smallGetsVariant = shared('small-gets');
