import { setTimeout as delay } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError, type StreamConfig } from '@nats-io/jetstream';
import {
  eventLayoutOf,
  eventStream,
  metadataOf,
  metadataOfPlan,
  MOST_EVENT_PARTITIONS,
  partitionSubjects,
  plannedPartitions,
  slotsAmong,
  slotsOf,
  slotTransform,
  streams,
  type EventLayout,
  type StreamDefinition,
} from '@stechuhr/contracts';
import type { StreamSettings } from './config.js';
import { ensureStream, type StreamManager, type When } from './ensure-stream.js';
import { serverCodes } from './server-codes.js';

const ATTEMPTS = 20;
const LONGEST_PAUSE_MS = 200;

/**
 * Creates the first stream of events if it does not exist.
 * @returns whether it was created
 */
export async function createFirstEventStream(manager: StreamManager, settings: StreamSettings, when: When): Promise<boolean> {
  return (await configOf(manager, 0)) === undefined && (await ensureAll(manager, 1, settings, when)).length > 0;
}

/**
 * Creates the other streams of events and assigns the slots of its partition to each; must not run in several processes at once. A stream without
 * slots is kept with its events.
 * @param named the number of partitions, if this process may change it; otherwise the first stream defines it
 * @returns the names of the created streams
 */
export async function ensureEventStreams(
  manager: StreamManager,
  named: number | undefined,
  settings: StreamSettings,
  when: When,
): Promise<string[]> {
  const { metadata } = (await configOf(manager, 0)) ?? {};
  const before = eventLayoutOf(metadata);
  // Without a layout, the process that created the first stream was interrupted.
  const known = before?.partitions ?? plannedPartitions(metadata);
  const partitions = named ?? known ?? 1;
  // If there were never to be any partitions, everything works without a layout.
  if (partitions === 1 && known === undefined) return ensureAll(manager, 1, settings, when);
  const count = Math.max(partitions, await countOf(manager));
  const created = await ensureAll(manager, count, settings, when);
  // In this order: consumers learn of a stream before it gets events, and publishers learn of slots when all of them are assigned.
  await storeLayout(manager, { partitions: before?.partitions ?? 1, streams: count });
  await moveSlots(manager, partitions, count);
  await storeLayout(manager, { partitions, streams: count });
  return created;
}

/** Whether every stream has the slots of its partition: versions without partitions remove those of the first stream when they start. */
export async function haveTheirSlots(manager: StreamManager, { partitions, streams: count }: EventLayout): Promise<boolean> {
  const held = await Promise.all(Array.from({ length: count }, (_, partition) => manager.streams.info(eventStream(partition))));
  return held.every(({ config }, partition) => sameSlots(slotsAmong(config.subjects), slotsOf(partition, partitions)));
}

function sameSlots(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((slot) => others.includes(slot));
}

/** The number of streams up to the last existing one. */
async function countOf(manager: StreamManager): Promise<number> {
  const found = await Promise.all(Array.from({ length: MOST_EVENT_PARTITIONS }, (_, partition) => configOf(manager, partition)));
  return found.findLastIndex((config) => config !== undefined) + 1;
}

async function configOf(manager: StreamManager, partition: number): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(eventStream(partition))).config;
  } catch (caught) {
    if (caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw caught;
  }
}

async function ensureAll(manager: StreamManager, count: number, settings: StreamSettings, when: When): Promise<string[]> {
  const created: string[] = [];
  const { partitions = 1 } = settings;
  for (let partition = 0; partition < count; partition++) {
    const definition: StreamDefinition = { ...streams.events, name: eventStream(partition), subjects: partitionSubjects(partition, []) };
    const limits = settings.limits.get(streams.events.name) ?? {};
    const { subjects = definition.subjects } = (count > 1 ? await configOf(manager, partition) : undefined) ?? {};
    const always = { subjects: [...subjects], ...(count > 1 && { subject_transform: slotTransform }) };
    const atCreation = partition === 0 && partitions > 1 ? { metadata: metadataOfPlan(partitions) } : {};
    const wanted = { definition, limits, always, atCreation, replicas: settings.replicas, when };
    if (await ensureStream(manager, wanted)) created.push(definition.name);
  }
  return created;
}

async function storeLayout(manager: StreamManager, layout: EventLayout): Promise<void> {
  const config = await configOf(manager, 0);
  const known = eventLayoutOf(config?.metadata);
  if (known?.partitions === layout.partitions && known.streams === layout.streams) return;
  await manager.streams.update(eventStream(0), { metadata: { ...config?.metadata, ...metadataOf(layout) } });
}

/**
 * Assigns the slots to the partitions, from one stream to another at a time. No slot may belong to two streams, so events published in between are
 * rejected and wait with their publisher. If another process does the same concurrently, the server reports overlapping subjects, and the state is
 * read again.
 */
async function moveSlots(manager: StreamManager, partitions: number, count: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await moveOnce(manager, partitions, count);
    } catch (caught) {
      if (!(caught instanceof JetStreamApiError) || caught.code !== serverCodes.subjectsOverlap || attempt === ATTEMPTS) throw caught;
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

async function moveOnce(manager: StreamManager, partitions: number, count: number): Promise<void> {
  const held: number[][] = [];
  for (let partition = 0; partition < count; partition++) held.push(slotsAmong((await configOf(manager, partition))?.subjects ?? []));
  const give = async (partition: number, slots: readonly number[]): Promise<void> => {
    held[partition] = [...slots];
    await manager.streams.update(eventStream(partition), { subjects: partitionSubjects(partition, slots) });
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
