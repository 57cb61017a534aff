import { setTimeout as delay } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError, type StreamConfig, type StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import {
  layoutOf,
  metadataOf,
  metadataOfPlan,
  MOST_PARTITIONS,
  partitionedName,
  partitionedNames,
  partitionedStreams,
  plannedPartitions,
  slotsOf,
  type Layout,
  type Layouts,
  type PartitionedStream,
} from '@stechuhr/contracts';
import type { StreamSettings } from './config.js';
import { ensureStream, type StreamManager, type WantedStream, type When } from './ensure-stream.js';
import { serverCodes } from './server-codes.js';

const ATTEMPTS = 20;
const LONGEST_PAUSE_MS = 200;
const ALONE: Streams = { count: 1, firstSlots: [] };

/** What applies to the partitions of a stream. */
interface Wanted {
  readonly settings: StreamSettings;
  readonly when: When;
  /** Whether this process has just created the first stream; if omitted, that is found out. */
  readonly isNew?: boolean;
  /** Called before a stream is created for more partitions; throws if there must not be more. */
  readonly mayGrow?: () => Promise<void>;
}

/**
 * Creates the first stream if it does not exist.
 * @returns whether it was created
 */
export async function createFirstStream(manager: StreamManager, partitioned: PartitionedStream, wanted: Wanted): Promise<boolean> {
  return (await configOf(manager, partitioned, 0)) === undefined && (await ensureAll(manager, partitioned, ALONE, wanted)).length > 0;
}

/**
 * Creates the streams of all partitions and assigns its slots to each; must not run in several processes at once. A stream without slots is kept
 * with its messages. The settings define the number of partitions if the first stream is new, and with an upgrade; otherwise the first stream does.
 * @returns the names of the created streams
 * @throws RangeError if fewer partitions are wanted for a stream whose number can only be raised; what `mayGrow` throws
 */
export async function ensurePartitions(manager: StreamManager, partitioned: PartitionedStream, wanted: Wanted): Promise<string[]> {
  const first = await configOf(manager, partitioned, 0);
  const before = layoutOf(first?.metadata);
  const existing = await countOf(manager, partitioned);
  const named = namedIn(wanted, partitioned, first === undefined);
  // Without a layout, the process that created the first stream was interrupted.
  const known = before?.partitions ?? plannedPartitions(first?.metadata);
  const partitions = numberOf(partitioned, { named, known, existing });
  // If there were never to be any partitions, everything works without a layout.
  if (partitions === 1 && known === undefined && !mayHaveSlots(partitioned)) return ensureAll(manager, partitioned, ALONE, wanted);
  if (partitions > 1 && before?.partitions !== partitions) await wanted.mayGrow?.();
  const count = Math.max(partitions, existing);
  const created = await ensureAll(manager, partitioned, { count, firstSlots: firstSlotsOf(partitioned, existing) }, wanted);
  // In this order: consumers learn of a stream before it gets messages, and publishers learn of slots when all of them are assigned.
  await storeLayout(manager, partitioned, { partitions: before?.partitions ?? 1, streams: count });
  await moveSlots(manager, partitioned, { partitions, streams: count });
  await storeLayout(manager, partitioned, { partitions, streams: count });
  return created;
}

/** Returns the slots with which a first stream is created: without others it takes everything, in case these cannot be created. */
function firstSlotsOf(partitioned: PartitionedStream, existing: number): readonly number[] {
  return existing === 0 && mayHaveSlots(partitioned) ? slotsOf(0, 1) : [];
}

/** Whether messages may have slots although there are no partitions. */
function mayHaveSlots({ slotsAddedBy }: PartitionedStream): boolean {
  return slotsAddedBy === 'server';
}

/** The number of partitions in the settings, if they apply. */
function namedIn({ settings, when, isNew }: Wanted, partitioned: PartitionedStream, isMissing: boolean): number | undefined {
  const apply = when === 'upgrade' || (isNew ?? isMissing);
  return apply ? settings.partitions?.[nameOf(partitioned)] : undefined;
}

interface Numbers {
  /** What the settings say, if they apply. */
  readonly named: number | undefined;
  /** What the first stream says. */
  readonly known: number | undefined;
  /** The number of existing streams. */
  readonly existing: number;
}

function numberOf(partitioned: PartitionedStream, { named, known, existing }: Numbers): number {
  if (!partitioned.onlyGrows) return named ?? known ?? 1;
  if (named !== undefined && known !== undefined && named < known) {
    const problem = `The ${String(known)} partitions of ${nameOf(partitioned)} in NATS_STREAMS cannot become ${String(named)}`;
    throw new RangeError(`${problem}: their number can only be raised.`);
  }
  // More streams than are known were created by a process that was interrupted, or the first one was lost.
  const atLeast = 2 ** Math.ceil(Math.log2(Math.max(1, existing)));
  return Math.max(named ?? known ?? 1, atLeast);
}

function nameOf(partitioned: PartitionedStream): keyof Layouts {
  const name = partitionedName(partitioned.definition.name);
  if (name === undefined) throw new Error(`${partitioned.definition.name} has no partitions.`);
  return name;
}

/** Whether every stream has the slots of its partition: versions without partitions remove those of the first stream when they start. */
export async function haveTheirSlots(manager: StreamManager, layouts: Layouts): Promise<boolean> {
  const answers = await Promise.all(partitionedNames.map((name) => hasItsSlots(manager, partitionedStreams[name], layouts[name])));
  return answers.every(Boolean);
}

async function hasItsSlots(manager: StreamManager, partitioned: PartitionedStream, { partitions, streams }: Layout): Promise<boolean> {
  if (streams === 1 && !mayHaveSlots(partitioned)) return true;
  const held = await Promise.all(partitioned.streams({ streams }).map((name) => manager.streams.info(name)));
  return held.every(({ config }, partition) => sameSlots(partitioned.slotsAmong(config.subjects), slotsOf(partition, partitions)));
}

function sameSlots(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((slot) => others.includes(slot));
}

/** The number of streams up to the last existing one. */
async function countOf(manager: StreamManager, partitioned: PartitionedStream): Promise<number> {
  const all = Array.from({ length: MOST_PARTITIONS }, (_, partition) => partition);
  const found = await Promise.all(all.map((partition) => configOf(manager, partitioned, partition)));
  return found.findLastIndex((config) => config !== undefined) + 1;
}

async function configOf(manager: StreamManager, partitioned: PartitionedStream, partition: number): Promise<StreamConfig | undefined> {
  return (await infoOf(manager, partitioned, partition))?.config;
}

async function infoOf(manager: StreamManager, partitioned: PartitionedStream, partition: number): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(partitioned.stream(partition));
  } catch (caught) {
    if (caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw caught;
  }
}

interface Streams {
  readonly count: number;
  /** The slots of the first one if it is created. */
  readonly firstSlots: readonly number[];
}

async function ensureAll(
  manager: StreamManager,
  partitioned: PartitionedStream,
  { count, firstSlots }: Streams,
  wanted: Wanted,
): Promise<string[]> {
  const hasSlots = count > 1 || mayHaveSlots(partitioned);
  const created: string[] = [];
  for (let partition = 0; partition < count; partition++) {
    const slots = partition === 0 ? firstSlots : [];
    const stream = await streamOf(manager, partitioned, { partition, slots, hasSlots, wanted });
    if (await ensureStream(manager, stream)) created.push(stream.definition.name);
  }
  return created;
}

interface Partition {
  readonly partition: number;
  /** What it gets if it is created. */
  readonly slots: readonly number[];
  readonly hasSlots: boolean;
  readonly wanted: Wanted;
}

/** Slots stay as they are: they are moved when all streams exist. */
async function streamOf(
  manager: StreamManager,
  partitioned: PartitionedStream,
  { partition, slots, hasSlots, wanted: { settings, when } }: Partition,
): Promise<WantedStream> {
  const { definition } = partitioned;
  const existing = hasSlots ? await configOf(manager, partitioned, partition) : undefined;
  const planned = settings.partitions?.[nameOf(partitioned)] ?? 1;
  return {
    definition: { ...definition, name: partitioned.stream(partition) },
    limits: settings.limits.get(definition.name) ?? {},
    replicas: settings.replicas,
    when,
    always: {
      subjects: [...(existing?.subjects ?? partitioned.subjects(partition, slots))],
      ...(hasSlots && { subject_transform: partitioned.transform }),
      ...(definition.enforcesDuplicateWindow && { duplicate_window: nanos(definition.duplicateWindowMs) }),
    },
    atCreation: {
      ...(partition === 0 && planned > 1 && { metadata: metadataOfPlan(planned) }),
      ...(definition.sequenceOrdersWrites && existing === undefined && { first_seq: await nextSequence(manager, partitioned) }),
    },
  };
}

/**
 * Returns a sequence that is higher than all that any partition has assigned: microseconds since 1970, which a stream with less than a million
 * messages per second never reaches, and which are exact in a double. The clock of another process may have been ahead.
 */
async function nextSequence(manager: StreamManager, partitioned: PartitionedStream): Promise<number> {
  const infos = await Promise.all(Array.from({ length: MOST_PARTITIONS }, (_, partition) => infoOf(manager, partitioned, partition)));
  return Math.max(Date.now() * 1_000, ...infos.map((info) => (info?.state.last_seq ?? 0) + 1));
}

async function storeLayout(manager: StreamManager, partitioned: PartitionedStream, layout: Layout): Promise<void> {
  const config = await configOf(manager, partitioned, 0);
  const known = layoutOf(config?.metadata);
  if (known?.partitions === layout.partitions && known.streams === layout.streams) return;
  await manager.streams.update(partitioned.stream(0), { metadata: { ...config?.metadata, ...metadataOf(layout) } });
}

/**
 * Assigns the slots to the partitions, from one stream to another at a time. No slot may belong to two streams, so events published in between are
 * rejected and wait with their publisher. If another process does the same concurrently, the server reports overlapping subjects, and the state is
 * read again.
 */
async function moveSlots(manager: StreamManager, partitioned: PartitionedStream, layout: Layout): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await moveOnce(manager, partitioned, layout);
    } catch (caught) {
      if (!(caught instanceof JetStreamApiError) || caught.code !== serverCodes.subjectsOverlap || attempt === ATTEMPTS) throw caught;
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

async function moveOnce(manager: StreamManager, partitioned: PartitionedStream, { partitions, streams: count }: Layout): Promise<void> {
  const held: number[][] = [];
  for (let partition = 0; partition < count; partition++)
    held.push(partitioned.slotsAmong((await configOf(manager, partitioned, partition))?.subjects ?? []));
  const give = async (partition: number, slots: readonly number[]): Promise<void> => {
    held[partition] = [...slots];
    await manager.streams.update(partitioned.stream(partition), { subjects: partitioned.subjects(partition, slots) });
  };
  for (let taker = 0; taker < partitions; taker++) {
    const wanted = slotsOf(taker, partitions);
    for (let giver = 0; giver < count; giver++) {
      const moved = giver === taker ? [] : (held[giver] ?? []).filter((slot) => wanted.includes(slot));
      if (moved.length === 0) continue;
      await give(
        giver,
        (held[giver] ?? []).filter((slot) => !moved.includes(slot)),
      );
      await give(
        taker,
        [...(held[taker] ?? []), ...moved].sort((a, b) => a - b),
      );
    }
    // Slots that no stream had.
    if (!sameSlots(held[taker] ?? [], wanted)) await give(taker, wanted);
  }
}
