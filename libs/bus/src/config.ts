import {
  isPartitionCount,
  MOST_PARTITIONS,
  partitionedNames,
  streams,
  subscriberProblem,
  type PartitionedName,
  type StreamDefinition,
  type Subscriber,
} from '@stechuhr/contracts';

/** The stream settings of an installation. For settings that are omitted, the values of the catalogue, or of the existing stream, apply. */
export interface StreamSettings {
  /** Copies of each stream. */
  readonly replicas?: number;
  /** By the name of the stream; those of a partitioned one apply to each partition. */
  readonly limits: ReadonlyMap<string, StreamLimits>;
  /** Number of streams over which messages are distributed, by institution. */
  readonly partitions?: Readonly<Partial<Record<PartitionedName, number>>>;
  /** Subscribers whose consumers are created in addition to those of the platform's services. */
  readonly subscribers?: readonly Subscriber[];
}

/** Size and age limits of a stream. */
export type StreamLimits = Partial<Pick<StreamDefinition, 'maxBytes' | 'maxAgeMs'>>;

/**
 * Reads `NATS_REPLICAS`, `NATS_STREAMS` and `NATS_SUBSCRIBERS`, for processes that create streams and consumers.
 * @throws RangeError for invalid values
 */
export function streamSettingsFromEnvironment(env: NodeJS.ProcessEnv = process.env): StreamSettings {
  const replicas = replicasFrom(env.NATS_REPLICAS);
  const subscribers = subscribersFrom(env.NATS_SUBSCRIBERS);
  return {
    ...(replicas !== undefined && { replicas }),
    ...streamsFrom(env.NATS_STREAMS),
    ...(subscribers.length > 0 && { subscribers }),
  };
}

/** 1 to 5. */
function replicasFrom(given: string | undefined): number | undefined {
  if (given === undefined || given === '') return undefined;
  const replicas = Number(given);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 5) throw new RangeError('NATS_REPLICAS must be 1 to 5');
  return replicas;
}

/** Parses JSON such as `{"events":{"partitions":4,"maxBytes":"20Gi","maxAgeDays":7}}`, by the names of the catalogue. */
function streamsFrom(given: string | undefined): Pick<StreamSettings, 'limits' | 'partitions'> {
  if (given === undefined || given === '') return { limits: new Map() };
  const all = entriesOf(given, 'NATS_STREAMS').map(([name, wanted]) => [name, entriesOf(wanted, `NATS_STREAMS of ${name}`)] as const);
  const partitions = all.flatMap(([name, wanted]) =>
    isPartitioned(name) ? wanted.filter(isPartitions).map(([, value]) => [name, partitionsOf(name, value)] as const) : [],
  );
  return {
    limits: new Map(
      all.map(([name, wanted]) => limitsOf(name, isPartitioned(name) ? wanted.filter((each) => !isPartitions(each)) : wanted)),
    ),
    ...(partitions.length > 0 && { partitions: Object.fromEntries(partitions) }),
  };
}

const isPartitioned = (name: string): name is PartitionedName => partitionedNames.some((one) => one === name);
const isPartitions = ([field]: readonly [string, unknown]): boolean => field === 'partitions';

function partitionsOf(name: PartitionedName, value: unknown): number {
  if (typeof value === 'number' && isPartitionCount(value)) return value;
  throw new RangeError(`partitions of ${name} in NATS_STREAMS must be a power of two from 1 to ${String(MOST_PARTITIONS)}`);
}

function limitsOf(key: string, wanted: readonly [string, unknown][]): [name: string, limits: StreamLimits] {
  const stream = Object.entries<StreamDefinition>(streams).find(([name]) => name === key)?.[1];
  if (stream === undefined) throw new RangeError(`NATS_STREAMS names ${key}: there are ${Object.keys(streams).join(', ')}`);
  const limits = wanted.map(([field, value]): StreamLimits => {
    if (field === 'maxBytes') return { maxBytes: bytesOf(value, key) };
    if (field === 'maxAgeDays' && stream.maxAgeMs !== undefined) return { maxAgeMs: daysOf(value, key) };
    if (field === 'partitions') throw new RangeError(`NATS_STREAMS of ${key} has no partitions: only ${partitionedNames.join(', ')} have`);
    throw new RangeError(`NATS_STREAMS of ${key} has no ${field}: what waits in a queue has no age`);
  });
  return [stream.name, Object.assign({}, ...limits) as StreamLimits];
}

/** Parses JSON such as `[{"user":"payroll-mirror","events":["records.workday.*"],"institution":"…"}]`. */
function subscribersFrom(given: string | undefined): readonly Subscriber[] {
  if (given === undefined || given === '') return [];
  const listed = parsed(given);
  if (!Array.isArray(listed)) throw new RangeError('NATS_SUBSCRIBERS must be a JSON array');
  const subscribers = listed.map(subscriberFrom);
  const twice = subscribers.find(({ user }, at) => subscribers.findIndex((other) => other.user === user) < at);
  if (twice !== undefined) throw new RangeError(`NATS_SUBSCRIBERS has two with the user ${twice.user}`);
  return subscribers;
}

function subscriberFrom(given: unknown, at: number): Subscriber {
  const where = `NATS_SUBSCRIBERS[${String(at)}]`;
  const { user, events, institution, ...others } = Object.fromEntries(entriesOf(given, where));
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new RangeError(`${where} has no ${unknown}: there are user, events, institution`);
  if (typeof user !== 'string') throw new RangeError(`${where}: user has to be a text`);
  if (!Array.isArray(events) || !events.every((each) => typeof each === 'string'))
    throw new RangeError(`${where}: events have to be a list such as ["records.workday.*"]`);
  if (institution !== undefined && typeof institution !== 'string') throw new RangeError(`${where}: institution has to be an id`);
  const subscriber = { user, events, ...(institution !== undefined && { institution }) };
  const problem = subscriberProblem(subscriber);
  if (problem !== undefined) throw new RangeError(`${where}: ${problem}`);
  return subscriber;
}

const UNITS: Readonly<Record<string, number>> = { Mi: 1_024 ** 2, Gi: 1_024 ** 3, Ti: 1_024 ** 4 };

/** Parses a Kubernetes quantity; less than a mebibyte could not hold a single message of maximum size. */
function bytesOf(value: unknown, key: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})(Mi|Gi|Ti)$/.exec(String(value)) ?? [];
  const bytes = Number(count) * (UNITS[unit] ?? 0);
  if (bytes === 0) throw new RangeError(`maxBytes of ${key} in NATS_STREAMS must be a number of Mi, Gi or Ti`);
  return bytes;
}

function daysOf(value: unknown, key: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 3_660)
    throw new RangeError(`maxAgeDays of ${key} in NATS_STREAMS must be 1 to 3660`);
  return value * 86_400_000;
}

/** The entries of an object, or of a text that is a JSON object. */
function entriesOf(given: unknown, name: string): [string, unknown][] {
  const value = typeof given === 'string' ? parsed(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new RangeError(`${name} must be a JSON object`);
  return Object.entries(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ACK_WAIT_SECONDS = 30;

/**
 * Reads `NATS_ACK_WAIT_SECONDS`, 1 to 600: how long a message may go without a sign of life from its handler before it is delivered to another one.
 * Needed by processes that create consumers.
 * @returns milliseconds
 * @throws RangeError for invalid values
 */
export function ackWaitFromEnvironment(env: NodeJS.ProcessEnv = process.env): number {
  const given = env.NATS_ACK_WAIT_SECONDS;
  const seconds = given === undefined || given === '' ? ACK_WAIT_SECONDS : Number(given);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 600) throw new RangeError('NATS_ACK_WAIT_SECONDS must be 1 to 600');
  return seconds * 1_000;
}

/** Reads `NATS_PROVISIONING_URL`: the address with the user that may create streams and consumers; only one service has it (ADR 27). */
export function provisioningFromEnvironment(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.NATS_PROVISIONING_URL === '' ? undefined : env.NATS_PROVISIONING_URL;
}
