// npm run capacity: estimates replicas, cores, memory and storage for a number of institutions.
import { readFileSync, writeFileSync } from 'node:fs';
import { runCommandLine, UsageError } from '@stechuhr/local-infra';
import { ASSUMED, planFor, DEFAULT_DEMAND, type Demand, type Plan } from './plan.js';
import { committedCosts, costsOf, UNIT_COSTS_FILE, type UnitCosts } from './unit-costs.js';

const OPTIONS: Readonly<Record<keyof Demand, readonly [option: string, meaning: string]>> = {
  institutions: ['institutions', 'institutions'],
  employees: ['employees', 'employees of each institution'],
  changesPerDay: ['changes-per-day', 'record changes per employee and day'],
  requestsPerDay: ['requests-per-day', 'requests per employee and day'],
  rowsPerMonth: ['rows-per-month', 'exported rows per employee and month'],
  reviewsPerMonth: ['reviews-per-month', 'reviews per employee and month'],
  peak: ['peak', 'load of the busiest hour divided by the average load'],
  years: ['years', 'years for which working times are kept'],
};

const names = Object.entries(OPTIONS) as [keyof Demand, readonly [string, string]][];
const USAGE = `npm run capacity -- [option…]

${names.map(([key, [option, meaning]]) => `  --${`${option} N`.padEnd(24)}${meaning}; ${DEFAULT_DEMAND[key].toLocaleString('en')} by default`).join('\n')}
  --measured FILE           uses the costs measured by "npm run bench -- unit-costs --json FILE"
  --keep                    stores these costs in bench/unit-costs.json
  --json                    prints the plan as JSON`;

/** Far beyond any demand, and small enough for products of all options. */
const MOST = 1e9;

function main(values: Readonly<Record<string, unknown>>): number {
  const costs = costsFrom(text(values['measured']));
  if (values['keep'] === true) writeFileSync(UNIT_COSTS_FILE, `${JSON.stringify(costs, null, 2)}\n`);
  const demand = Object.fromEntries(names.map(([key, [option]]) => [key, numberOf(option, text(values[option]), DEFAULT_DEMAND[key])]));
  const plan = planFor(demand as unknown as Demand, costs);
  console.log(values['json'] === true ? JSON.stringify(plan, null, 2) : describe(plan, costs));
  return 0;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function costsFrom(file: string | undefined): UnitCosts {
  if (file === undefined) return committedCosts();
  try {
    return costsOf(JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof costsOf>[0]);
  } catch (error) {
    throw new UsageError(`${file} is not a result of "npm run bench -- unit-costs --json": ${(error as Error).message}`);
  }
}

function numberOf(option: string, given: string | undefined, usual: number): number {
  if (given === undefined) return usual;
  const value = Number(given);
  if (given.trim() === '' || !(value > 0 && value <= MOST))
    throw new UsageError(`--${option} must be a number above 0, at most ${MOST.toLocaleString('en')}, not "${given}"`);
  return value;
}

const show = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

function describe({ employees, rates, services, mongo, nats }: Plan, { measured, bytes }: UnitCosts): string {
  const table = (rows: readonly (readonly string[])[]): string =>
    rows.map(([first = '', ...rest]) => `  ${first.padEnd(20)}${rest.map((cell) => cell.padStart(12)).join('')}`).join('\n');
  const planned = services.map(({ name, cores, replicas, memoryGib }) => [name, show(cores), String(replicas), show(memoryGib)]);
  const total = [
    'total',
    show(services.reduce((sum, { cores }) => sum + cores, 0)),
    String(services.reduce((sum, { replicas }) => sum + replicas, 0)),
    show(services.reduce((sum, { memoryGib }) => sum + memoryGib, 0)),
  ];
  const tooLarge = nats.isTooLarge
    ? `\nThere are no more than ${nats.partitions} partitions. Each would hold ${show(nats.eventsGib / nats.partitions)} GiB, more than the ${show(ASSUMED.streamGib)} GiB that a restarted server can copy in a few minutes: keep events for fewer days, or divide the institutions among several installations.`
    : '';
  return `${show(employees)} employees; per second at the peak: ${Object.entries(rates)
    .map(([work, rate]) => `${show(rate)} × ${work}`)
    .join(', ')}

${table([['service', 'cores', 'replicas', 'GiB'], ...planned, total])}

MongoDB: ${mongo.shards} ${mongo.shards === 1 ? 'shard' : 'shards'} of three members; ${show(mongo.dataGib)} GiB of months (${bytes.month} bytes each before compression), ${show(mongo.readsPerSecond)} documents read and ${show(mongo.writesPerSecond)} written per second
NATS: ${show(nats.messagesPerSecond)} messages per second; ${show(nats.eventsGib)} GiB of events in ${ASSUMED.eventDays} days; ${nats.partitions} ${nats.partitions === 1 ? 'stream' : 'partitions'} with maxBytes: ${nats.maxBytesGib}Gi, which reserve ${show(nats.storageGib)} GiB of disk for ${ASSUMED.streamReplicas} copies; live objects in ${nats.livePartitions} ${nats.livePartitions === 1 ? 'stream' : 'partitions'}; ${show(nats.memoryGib)} GiB of memory for subjects and ids${tooLarge}

CPU times were measured: ${measured}. These are assumptions, so check them against your machines: a replica uses ${ASSUMED.coreShare * 100} % of a core, a shard
reads ${show(ASSUMED.readsPerShard)} and writes ${show(ASSUMED.writesPerShard)} documents per second and holds ${show(ASSUMED.shardGib)} GiB, and a stream holds ${show(ASSUMED.streamGib)} GiB, is ${ASSUMED.streamFill * 100} % full, and takes ${show(ASSUMED.objectsPerStream)} live objects per second. The size of files in S3 depends
mostly on the number of photos and is not estimated.`;
}

const numbers = Object.fromEntries(names.map(([, [option]]) => [option, { type: 'string' as const }]));
const options = { ...numbers, measured: { type: 'string' }, keep: { type: 'boolean' }, json: { type: 'boolean' } } as const;
await runCommandLine({ usage: USAGE, options, words: false }, main);
