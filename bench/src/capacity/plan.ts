import { MOST_PARTITIONS } from '@stechuhr/contracts';
import { SERVICES, WORK, type ServiceName, type UnitCosts, type Work } from './unit-costs.js';

/** The size of the platform and the load that its users cause. */
export interface Demand {
  readonly institutions: number;
  /** Employees of each institution. */
  readonly employees: number;
  /** Record changes per employee and day: clocking in and out, applications, corrections. */
  readonly changesPerDay: number;
  /** Requests per employee and day; one half reads single records, the other half lists. */
  readonly requestsPerDay: number;
  /** Exported rows per employee and month; one half synchronously, the other half in the background. */
  readonly rowsPerMonth: number;
  /** How often each month is reviewed. */
  readonly reviewsPerMonth: number;
  /** Load of the busiest hour divided by the average load. */
  readonly peak: number;
  /** For how many years working times are kept. */
  readonly years: number;
}

/** Assumptions of a plan that were not measured. They depend on your machines. */
export interface Assumptions {
  /** Share of a core that a process may use at the peak. The rest is reserved for bursts and for the load of a lost replica. */
  readonly coreShare: number;
  /** Minimum number of replicas of a service. */
  readonly leastReplicas: number;
  /** Documents that one shard of MongoDB can read and write per second. */
  readonly readsPerShard: number;
  readonly writesPerShard: number;
  /** Data of one shard in GiB, including indexes and free space. */
  readonly shardGib: number;
  /** Size on disk divided by the size of the documents: indexes add to it, compression reduces it. */
  readonly diskFactor: number;
  readonly eventDays: number;
  readonly streamReplicas: number;
  /** Events of one stream in GiB: an amount that a restarted server can copy from another one in a few minutes. */
  readonly streamGib: number;
  /** Share of its limit (`maxBytes`) that the events of a stream use: below the 80 % at which `StechuhrStreamFills` fires. */
  readonly streamFill: number;
  /** Live objects that a stream takes per second if NATS syncs each message (bench case `live-objects`, on a slow disk). */
  readonly objectsPerStream: number;
  /** Event types per institution within `eventDays`. Each is a subject, which NATS keeps in memory. */
  readonly eventKinds: number;
  /** Memory of a subject, and of the id of an event, which NATS remembers for two minutes (bench case `streams`). */
  readonly subjectBytes: number;
  readonly idBytes: number;
}

export const DEFAULT_DEMAND: Demand = {
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
  streamFill: 0.7,
  objectsPerStream: 1_200,
  eventKinds: 20,
  subjectBytes: 700,
  idBytes: 150,
};

/** Resources of one service at the peak. */
export interface PlannedService {
  readonly name: ServiceName;
  /** CPU seconds per second. */
  readonly cores: number;
  readonly replicas: number;
  readonly memoryGib: number;
}

/** The resources that a demand needs. */
export interface Plan {
  readonly employees: number;
  /** Units of work per second at the peak. */
  readonly rates: Readonly<Record<Work, number>>;
  readonly services: readonly PlannedService[];
  readonly mongo: { readonly readsPerSecond: number; readonly writesPerSecond: number; readonly dataGib: number; readonly shards: number };
  readonly nats: {
    readonly messagesPerSecond: number;
    /** Size of the events in one copy, and what the servers reserve on their disks for all copies of the streams. */
    readonly eventsGib: number;
    readonly storageGib: number;
    /** Number of streams that share the events, a power of two, and the limit to configure for each. */
    readonly partitions: number;
    readonly maxBytesGib: number;
    /** Number of streams that share the live objects. */
    readonly livePartitions: number;
    /** Whether a stream would hold more than `streamGib`, because there are no more partitions. */
    readonly isTooLarge: boolean;
    /** Memory of each server with a copy, for subjects and ids. */
    readonly memoryGib: number;
  };
}

const DAY = 86_400;
const MONTH = 30 * DAY;
const DAYS_OF_A_MONTH = 30;
const GIB = 2 ** 30;
const REMEMBERED_SECONDS = 120;
/** A change is written once, and once more when its published event is removed from the outbox. */
const WRITES_A_CHANGE = 2;

/**
 * Computes the resources for a demand: rates of work at the peak, multiplied by the CPU time that one unit costs each service.
 *
 * Our code runs in one thread per process, so the number of replicas is the number of cores divided by the share that one replica may use,
 * rounded up.
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

/** Exports and reviews read one document per employee and month: one for thirty rows, or one for a reviewed employee. */
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

/** Each change arrives as one message, which is removed when it is consumed, and is published as one event. */
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
  const partitions = partitionsFor(eventsGib / assumed.streamGib);
  // The chart takes whole numbers.
  const maxBytesGib = Math.ceil(eventsGib / partitions / assumed.streamFill);
  return {
    messagesPerSecond: eventsPerSecond * 2,
    eventsGib,
    storageGib: maxBytesGib * partitions * assumed.streamReplicas,
    partitions,
    livePartitions: partitionsFor(eventsPerSecond / assumed.objectsPerStream),
    maxBytesGib,
    isTooLarge: eventsGib / partitions > assumed.streamGib,
    memoryGib: (institutions * assumed.eventKinds * assumed.subjectBytes + rememberedIds * assumed.idBytes) / GIB,
  };
}

/** Returns the number of partitions if so many full streams are needed: a power of two. */
function partitionsFor(fullStreams: number): number {
  return Math.min(MOST_PARTITIONS, 2 ** Math.ceil(Math.log2(Math.max(1, fullStreams))));
}
