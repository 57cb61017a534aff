import { randomUUID } from 'node:crypto';
import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { download } from '../../platform/download.js';
import { exportUrl } from '../../platform/export-url.js';
import { downloadVariant, preparedOn } from '../../platform/prepared.js';
import { prepareYear } from '../../platform/year-case.js';
import { COLUMNS, dailyExport } from '../../platform/year-export.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const { platform, token } = await prepareYear(size, quick);
  // Each request has a unique column header. Otherwise it would be answered with the task of an earlier equal request.
  const freshUrl = (): string => {
    const columns = `${COLUMNS.slice(0, -1).join('|')}|value:as>v${randomUUID()}`;
    return exportUrl(platform.baseUrl, 'generic', { ...dailyExport('csv'), columns });
  };
  const { bytes } = await download({ url: freshUrl(), token });
  const services = ['records', 'exports', 'tasks', 'worker', 'gateway'];
  const common = preparedOn({ platform, quick, services, values: { token, bucket: platform.surroundings.bucket, bytes }, runs: {} });
  return { ...common, before: async (name) => ({ ...(await common.before?.(name)), url: freshUrl() }) };
}

export const asyncExport: Case = {
  name: 'async-export',
  goals: ['G21'],
  title: 'a year of csv in the background, from the request to the URL of the file, compared with a synchronous export',
  sizes: { quick: 3, full: 1000 },
  variants: { upload: variant('upload'), sync: downloadVariant, background: variant('in-background') },
  ratios: [{ goal: 'G21', measure: 'wallMs', of: 'background', to: 'sync', target: 1.4, stretch: 1.2, note: 'without one poll of 250 ms' }],
  prepare,
};
