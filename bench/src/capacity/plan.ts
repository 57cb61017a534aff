import { MOST_EVENT_PARTITIONS } from '@stechuhr/contracts';
import { SERVICES, WORK, type ServiceName, type UnitCosts, type Work } from './unit-costs.js';

/** How large the platform is to be, and what its users do. */
export interface Demand {
  readonly institutions: number;
  /** Of each institution. */
  readonly employees: number;
  /** Changes of records a day for each employee: times come and go, applications, corrections. */
  readonly changesPerDay: number;
  /** Requests a day for each employee, in equal parts single records and lists. */
  readonly requestsPerDay: number;
  /** Rows a month for each employee that are exported, one half at once, the other in the background. */
  readonly rowsPerMonth: number;
  /** How often a month is reviewed. */
  readonly reviewsPerMonth: number;
  /** The busiest hour / the average. */
  readonly peak: number;
  /** For how long times are kept. */
  readonly years: number;
}

/** What a plan takes for granted and nobody measured on these machines: look at yours. */
export interface Assumptions {
  /** Share of a core that a process may use at the peak, so that a burst and a lost replica find room. */
  readonly coreShare: number;
  /** No service runs with less. */
  readonly leastReplicas: number;
  /** Documents that one shard of MongoDB reads, and writes, a second. */
  readonly readsPerShard: number;
  readonly writesPerShard: number;
  /** Data of one shard in GiB, indexes and free space included. */
  readonly shardGib: number;
  /** Of the size of documents: indexes on disk, and what compression saves. */
  readonly diskFactor: number;
  readonly eventDays: number;
  readonly streamReplicas: number;
  /** Events of one stream, in GiB: what a server that comes back copies from another one in some minutes. */
  readonly streamGib: number;
  /** Kinds of events that an institution has in that time: each is a subject, which NATS keeps in memory. */
  readonly eventKinds: number;
  /** Memory of a subject, and of the id of an event, which is remembered for two minutes (bench case `streams`). */
  readonly subjectBytes: number;
  readonly idBytes: number;
}

export const USUAL: Demand = {
  institutions: 100_000,
  employees: 50,
  changesPerDay: 26,
  requestsPerDay: 5.2,
  rowsPerMonth: 300,
  reviewsPerMonth: 2,
  peak: 10,
  years: 10,
};

export const ASSUMED: Assumptions = {
  coreShare: 0.6,
  leastReplicas: 2,
  readsPerShard: 30_000,
  writesPerShard: 3_000,
  shardGib: 2_000,
  diskFactor: 0.7,
  eventDays: 14,
  streamReplicas: 3,
  streamGib: 100,
  eventKinds: 20,
  subjectBytes: 700,
  idBytes: 150,
};

/** One service at the peak. */
export interface PlannedService {
  readonly name: ServiceName;
  /** CPU seconds a second. */
  readonly cores: number;
  readonly replicas: number;
  readonly memoryGib: number;
}

/** What is needed. */
export interface Plan {
  readonly employees: number;
  /** Units of work a second at the peak. */
  readonly rates: Readonly<Record<Work, number>>;
  readonly services: readonly PlannedService[];
  readonly mongo: { readonly readsPerSecond: number; readonly writesPerSecond: number; readonly dataGib: number; readonly shards: number };
  readonly nats: {
    readonly messagesPerSecond: number;
    /** All copies of the events, and one. */
    readonly storageGib: number;
    readonly eventsGib: number;
    /** Streams that share the events, a power of two, and the size that each has to be given. */
    readonly partitions: number;
    readonly partitionGib: number;
    /** Of each server that has a copy, for subjects and ids. */
    readonly memoryGib: number;
  };
}

const DAY = 86_400;
const MONTH = 30 * DAY;
const DAYS_OF_A_MONTH = 30;
const GIB = 2 ** 30;
const REMEMBERED_SECONDS = 120;
/** A change is read, written, and its event taken out again. */
const WRITES_A_CHANGE = 2;

/**
 * Computes what a demand needs: rates of work at the peak, times the CPU time that a unit of it costs each service.
 *
 * Processes have one thread for our code: cores are divided by the share that one replica may use, and rounded up.
 */
export function planFor(demand: Demand, costs: UnitCosts, assumed: Assumptions = ASSUMED): Plan {
  const employees = demand.institutions * demand.employees;
  const rates = ratesOf(demand, employees);
  const services = SERVICES.map((name): PlannedService => {
    const cores = WORK.reduce((sum, work) => sum + (rates[work] * costs.cpuUs[work][name]) / 1e6, 0);
    const replicas = Math.max(assumed.leastReplicas, Math.ceil(cores / assumed.coreShare));
    return { name, cores, replicas, memoryGib: (replicas * costs.peakMb[name]) / 1024 };
  });
  return {
    employees,
    rates,
    services,
    mongo: mongoOf(demand, employees, rates, { costs, assumed }),
    nats: natsOf(demand, employees, costs, assumed),
  };
}

function ratesOf({ changesPerDay, requestsPerDay, rowsPerMonth, reviewsPerMonth, peak }: Demand, employees: number): Plan['rates'] {
  const daily = (perDay: number): number => (employees * perDay * peak) / DAY;
  const monthly = (perMonth: number): number => (employees * perMonth * peak) / MONTH;
  return {
    get: daily(requestsPerDay / 2),
    list: daily(requestsPerDay / 2),
    exportRow: monthly(rowsPerMonth / 2),
    backgroundRow: monthly(rowsPerMonth / 2),
    reviewedEmployee: monthly(reviewsPerMonth),
    change: daily(changesPerDay),
  };
}

/** Exports and reviews read documents of months: one for thirty rows, one for a reviewed employee. */
function mongoOf(
  { years }: Demand,
  employees: number,
  rates: Plan['rates'],
  { costs, assumed }: { readonly costs: UnitCosts; readonly assumed: Assumptions },
): Plan['mongo'] {
  const rows = rates.exportRow + rates.backgroundRow;
  const readsPerSecond = rates.get + rates.list * 100 + rows / DAYS_OF_A_MONTH + rates.reviewedEmployee + rates.change;
  const writesPerSecond = rates.change * WRITES_A_CHANGE;
  const dataGib = (employees * 12 * years * costs.bytes.month * assumed.diskFactor) / GIB;
  const needed = [readsPerSecond / assumed.readsPerShard, writesPerSecond / assumed.writesPerShard, dataGib / assumed.shardGib];
  return { readsPerSecond, writesPerSecond, dataGib, shards: Math.max(1, Math.ceil(Math.max(...needed))) };
}

/** Each change arrives as one message and leaves as one event; messages are removed when they are taken. */
function natsOf(
  { institutions, changesPerDay, peak }: Demand,
  employees: number,
  { bytes }: UnitCosts,
  assumed: Assumptions,
): Plan['nats'] {
  const eventsPerDay = employees * changesPerDay;
  const eventsPerSecond = (eventsPerDay * peak) / DAY;
  const eventsGib = (eventsPerDay * assumed.eventDays * bytes.event) / GIB;
  const rememberedIds = eventsPerSecond * REMEMBERED_SECONDS;
  const needed = Math.ceil(Math.log2(Math.max(1, eventsGib / assumed.streamGib)));
  const partitions = Math.min(MOST_EVENT_PARTITIONS, 2 ** needed);
  return {
    messagesPerSecond: eventsPerSecond * 2,
    storageGib: eventsGib * assumed.streamReplicas,
    eventsGib,
    partitions,
    partitionGib: eventsGib / partitions,
    memoryGib: (institutions * assumed.eventKinds * assumed.subjectBytes + rememberedIds * assumed.idBytes) / GIB,
  };
}
