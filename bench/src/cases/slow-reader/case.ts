import type { Case, PrepareOptions, Prepared, Ratio } from '../../harness/types.js';
import { exportUrl } from '../../platform/export-url.js';
import { yearFirm } from '../../platform/firms.js';
import { benchPlatform } from '../../platform/platform.js';
import { downloadVariant, preparedOn } from '../../platform/prepared.js';
import { dailyExport } from '../../platform/year-export.js';

const SERVICES = ['records', 'exports', 'gateway'];
const FORMATS = ['csv', 'xlsx'];
const BYTES_PER_SECOND = 2 * 2 ** 20;

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const { token } = await platform.firm(yearFirm(size));
  const runs = FORMATS.flatMap((format) => {
    const url = exportUrl(platform.baseUrl, 'generic', dailyExport(format));
    return [
      [`${format}-fast`, { url }],
      [`${format}-slow`, { url, bytesPerSecond: BYTES_PER_SECOND }],
    ] as const;
  });
  return preparedOn({
    platform,
    quick,
    services: SERVICES,
    values: { token },
    runs: Object.fromEntries(runs),
    fresh: runs.map(([name]) => name),
    notes: [`${size * 365} rows`],
  });
}

export const slowReader: Case = {
  name: 'slow-reader',
  goals: ['G8'],
  title: 'memory while a client reads 2 MiB per second, compared with a client that reads at full speed',
  sizes: { quick: 3, full: 1000 },
  variants: Object.fromEntries(FORMATS.flatMap((format) => [`${format}-fast`, `${format}-slow`]).map((name) => [name, downloadVariant])),
  ratios: FORMATS.flatMap((format) =>
    SERVICES.map((service): Ratio => {
      return { goal: 'G8', measure: `${service}RssMb`, of: `${format}-slow`, to: `${format}-fast`, target: 1.15, stretch: 1.05 };
    }),
  ),
  prepare,
};
