import type { Case, PrepareOptions, Prepared } from '../../harness/types.js';
import { smallFirms } from '../../platform/firms.js';
import { benchPlatform } from '../../platform/platform.js';
import { preparedOn } from '../../platform/prepared.js';
import { issueTokens } from './tokens.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });
/** Employees of each institution. */
const EMPLOYEES = { quick: 2, full: 20 };
/**
 * Requests per second and institution: ten times the load of the payroll hour, in which 100,000 institutions send 300 requests per second.
 */
const REQUESTS_OF_ONE = 0.03;

/** The input of the variants. */
export interface ManyFirmsValues {
  readonly baseUrl: string;
  /** One token of each institution. */
  readonly tokens: readonly string[];
  readonly perSecond: number;
  readonly durationMs: number;
}

async function prepare({ size, quick }: PrepareOptions): Promise<Prepared> {
  const platform = await benchPlatform(quick);
  const employees = quick ? EMPLOYEES.quick : EMPLOYEES.full;
  const { all, each } = smallFirms(size, employees);
  await platform.firm(all);
  const perSecond = quick ? 10 : size * REQUESTS_OF_ONE;
  return preparedOn({
    platform,
    quick,
    services: ['gateway', 'records', 'exports', 'absence-rules'],
    values: {
      ...{ baseUrl: platform.baseUrl, perSecond, durationMs: quick ? 2_000 : 120_000 },
      tokens: await issueTokens(
        platform,
        each.map(({ accountId }) => accountId),
      ),
    },
    runs: {},
    notes: [
      `${size} institutions of ${employees} employees, ${perSecond} requests per second: 70 % lists, 20 % exports of a month, 10 % writes`,
    ],
  });
}

export const manyFirms: Case = {
  name: 'many-firms',
  goals: ['many firms'],
  title: 'reading a list of one firm while many other firms list, export and write',
  sizes: { quick: 3, full: 2_000 },
  variants: { idle: variant('idle'), mixed: variant('mixed') },
  ratios: [
    { goal: 'many firms', measure: 'p99Ms', of: 'mixed', to: 'idle', target: 5 },
    { goal: 'many firms', measure: 'failed', of: 'mixed', to: 1, target: 0, note: 'failed requests' },
  ],
  prepare,
};
