import { readFileSync } from 'node:fs';

/** Services whose load grows with the number of requests and changes. */
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

/** Costs that `npm run bench -- unit-costs` measured, with a description of the machine. */
export interface UnitCosts {
  readonly measured: string;
  /** CPU time in microseconds of each service for one unit of work. */
  readonly cpuUs: Readonly<Record<Work, Readonly<Record<ServiceName, number>>>>;
  /** Peak memory of one process in MiB over all variants. */
  readonly peakMb: Readonly<Record<ServiceName, number>>;
  /** Size of one document of an employee's month in MongoDB, and of one event in its stream. */
  readonly bytes: { readonly month: number; readonly event: number };
}

/** A result that the bench writes with `--json`. */
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

/** The file in which unit costs are committed. */
export const UNIT_COSTS_FILE = new URL('../../unit-costs.json', import.meta.url);

/** Reads the committed unit costs. */
export function committedCosts(): UnitCosts {
  return JSON.parse(readFileSync(UNIT_COSTS_FILE, 'utf8')) as UnitCosts;
}

/** Computes unit costs from results of the bench, as medians of its rounds. @throws Error if the case or a variant was not measured */
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
    // The CPU time of an idle service is not part of the work.
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

/** Rounds to three significant digits, because measurements are not more precise. */
const round = (value: number): number => Number(value.toPrecision(3));
