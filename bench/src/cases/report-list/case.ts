import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { benchPlatform } from '../../platform/platform.js';
import { preparedOn } from '../../platform/prepared.js';
import { reportFirm } from '../../platform/report-firm.js';
import type { ReportListValues } from './values.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

const PAGE = 100;
const PAGES = 20;

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const firm = reportFirm(size);
  const { institutionId, token } = await platform.firm(firm);
  const count = Math.max(1, Math.min(PAGES, Math.floor(size / PAGE)));
  const pages: ReportListValues['pages'] = Array.from({ length: count }, (_, page) => {
    // The pages are spread over the whole list, because a page with a large offset costs more than the first.
    const offset = Math.floor((page * Math.max(0, size - PAGE)) / Math.max(1, count - 1));
    return {
      url: `${platform.baseUrl}/daily-reports/reports/?limit=${PAGE}&offset=${offset}`,
      reports: firm.reportIds.slice(offset, offset + PAGE).map((id) => `${institutionId}/${id.replace('|', '/')}`),
    };
  });
  return preparedOn({
    platform,
    quick,
    services: ['records', 'daily-reports', 'gateway'],
    values: { mongodbUrl: platform.mongodbUrl, token, pages } satisfies ReportListValues,
    runs: {},
    notes: [`${count} pages of ${PAGE} out of ${size} reports with twelve entries each`],
  });
}

export const reportList: Case = {
  name: 'report-list',
  goals: ['G18'],
  title: 'pages of a hundred daily reports over HTTP, compared with reading their entries, and with one query per report',
  sizes: { quick: 40, full: 10_000 },
  variants: { drain: variant('drain'), ours: variant('list'), 'query-per-report': variant('query-per-report') },
  equal: [['ours', 'query-per-report']],
  ratios: [
    { goal: 'G18', measure: 'wallMs', of: 'ours', to: 'drain', target: 1.5, stretch: 1.2 },
    { goal: 'G18', measure: 'wallMs', of: 'ours', to: 'query-per-report', target: 1, note: 'the peer does not answer over HTTP' },
  ],
  prepare,
};
