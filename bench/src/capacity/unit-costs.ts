import { readFileSync } from 'node:fs';

/** Services whose load grows with what is asked and changed. */
export const SERVICES = [
  'gateway',
  'records',
  'exports',
  'worker',
  'tasks',
  'reviews',
  'absence-rules',
  'daily-reports',
  'webhooks',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Units of work that the bench measures. */
export const WORK = ['get', 'list', 'exportRow', 'backgroundRow', 'reviewedEmployee', 'change'] as const;
export type Work = (typeof WORK)[number];

/** What `npm run bench -- unit-costs` measured, and on what. */
export interface UnitCosts {
  readonly measured: string;
  /** CPU time in microseconds of each service for one unit of work. */
  readonly cpuUs: Readonly<Record<Work, Readonly<Record<ServiceName, number>>>>;
  /** Peak memory of one process, in MiB, whatever it did. */
  readonly peakMb: Readonly<Record<ServiceName, number>>;
  /** One document of a month of an employee in MongoDB, one event in its stream. */
  readonly bytes: { readonly month: number; readonly event: number };
}

/** As the bench writes them: `--json`. */
interface BenchResult {
  readonly case: { readonly name: string };
  readonly notes: readonly string[];
  readonly runs: Readonly<Record<string, readonly Readonly<Record<string, number>>[]>>;
}

const VARIANTS: Readonly<Record<Work, string>> = {
  get: 'get',
  list: 'list',
  exportRow: 'export',
  backgroundRow: 'background',
  reviewedEmployee: 'review',
  change: 'change',
};

/** Where they are committed. */
export const UNIT_COSTS_FILE = new URL('../../unit-costs.json', import.meta.url);

/** Those that are committed beside the bench. */
export function committedCosts(): UnitCosts {
  return JSON.parse(readFileSync(UNIT_COSTS_FILE, 'utf8')) as UnitCosts;
}

/** Reads them from a result of the bench, as medians of its rounds. @throws when the case was not measured */
export function costsOf(results: readonly BenchResult[]): UnitCosts {
  const result = results.find(({ case: { name } }) => name === 'unit-costs');
  if (result === undefined) throw new Error('The result has no case "unit-costs".');
  const runsOf = (variant: string) => {
    const runs = result.runs[variant];
    if (runs === undefined) throw new Error(`The result has no variant "${variant}" of "unit-costs".`);
    return runs;
  };
  const medianOf = (variant: string, measure: string) => median(runsOf(variant).map((run) => run[measure] ?? 0));
  const perUnit = (work: Work, service: ServiceName) => {
    const variant = VARIANTS[work];
    // What the service needs anyway is not the work's.
    const idle = medianOf('idle', `${service}CpuMs`) / (medianOf('idle', 'wallMs') || 1);
    const cpuMs = medianOf(variant, `${service}CpuMs`) - idle * medianOf(variant, 'wallMs');
    return round((Math.max(0, cpuMs) * 1000) / medianOf(variant, 'units'));
  };
  const all = Object.values(result.runs).flat();
  return {
    measured: result.notes.join('; '),
    cpuUs: byName(WORK, (work) => byName(SERVICES, (service) => perUnit(work, service))),
    peakMb: byName(SERVICES, (service) => Math.round(Math.max(...all.map((run) => run[`${service}RssMb`] ?? 0)))),
    bytes: { month: Math.round(medianOf('stored', 'monthBytes')), event: Math.round(medianOf('stored', 'eventBytes')) },
  };
}

function byName<K extends string, V>(names: readonly K[], valueOf: (name: K) => V): Readonly<Record<K, V>> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, V>;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Three digits: more were not measured. */
const round = (value: number): number => Number(value.toPrecision(3));
