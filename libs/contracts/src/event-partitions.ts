import { streams } from './streams.js';
import { subscriptions, type Subscription } from './subscriptions.js';

/**
 * Partitions of the events (ADR 36): every institution permanently belongs to one of 64 slots, and each partition has a share of the slots.
 * Publishers know only slots, and the server knows which stream has them, so that the number of partitions is changed in one place.
 */
export interface EventLayout {
  /** Streams over which new events are distributed; 1 without partitions. */
  readonly partitions: number;
  /** Streams that contain events; more than the partitions if there were more before. */
  readonly streams: number;
}

/** Must never change, since the events of an institution would move to another partition. */
export const EVENT_SLOTS = 64;
/** Limited, because bus rights list each stream. */
export const MOST_EVENT_PARTITIONS = 16;
export const ONE_PARTITION: EventLayout = { partitions: 1, streams: 1 };

const [PUBLIC, SLOTS] = ['stechuhr.events.', 'stechuhr.slots.'] as const;

/** Transforms messages before a partition stores them, so that subscribers find them on the public subject. */
export const slotTransform = { src: `${SLOTS}*.*.>`, dest: `${PUBLIC}{{wildcard(2)}}.>` } as const;

/**
 * Whether this number of partitions is allowed: a power of two, so that all partitions have equally many slots, and doubling moves half of each to a
 * new one.
 */
export function isEventPartitions(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MOST_EVENT_PARTITIONS && EVENT_SLOTS % count === 0;
}

/** The slot of an institution: 32-bit FNV-1a of its id in UTF-8, like `partition(64,1)` in a subject mapping of nats-server. */
export function eventSlot(institutionId: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(institutionId)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % EVENT_SLOTS;
}

/** The stream of a partition; the first has the name of the stream without partitions, and keeps its events. */
export function eventStream(partition: number): string {
  return partition === 0 ? streams.events.name : `${streams.events.name}_${String(partition)}`;
}

/** The streams that contain events. */
export function eventStreams({ streams: count }: Pick<EventLayout, 'streams'>): string[] {
  return Array.from({ length: count }, (_, partition) => eventStream(partition));
}

/** All streams of the platform. */
export function allStreams(layout: Pick<EventLayout, 'streams'>): string[] {
  const others = Object.values(streams).flatMap(({ name }) => (name === streams.events.name ? [] : [name]));
  return [...eventStreams(layout), ...others];
}

/** The subject of an event in the slot of its institution, for the partition that has the slot; undefined for subjects that are not events. */
export function slotSubject(subject: string): string | undefined {
  if (!subject.startsWith(PUBLIC)) return undefined;
  const rest = subject.slice(PUBLIC.length);
  return `${SLOTS}${String(eventSlot(rest.split('.', 1).join('')))}.${rest}`;
}

/** The slots of a partition. */
export function slotsOf(partition: number, partitions: number): number[] {
  return Array.from({ length: EVENT_SLOTS }, (_, slot) => slot).filter((slot) => slot % partitions === partition);
}

/**
 * The subjects of a partition with these slots. The first partition also accepts events without a slot, from versions that do not know slots. As a
 * stream cannot be without subjects, one without slots gets a subject on which nobody publishes.
 */
export function partitionSubjects(partition: number, slots: readonly number[]): string[] {
  const taken = slots.map((slot) => `${SLOTS}${String(slot)}.>`);
  if (partition === 0) return [...streams.events.subjects, ...taken];
  return taken.length > 0 ? taken : [`${SLOTS}none.${String(partition)}`];
}

/** The slots among the subjects of a stream. */
export function slotsAmong(subjects: readonly string[]): number[] {
  return subjects.flatMap((subject) => {
    const slot = /^stechuhr\.slots\.(\d+)\.>$/.exec(subject)?.[1];
    return slot === undefined ? [] : [Number(slot)];
  });
}

/** The consumer that serves as a lock while streams are being changed; it receives nothing. */
export const PROVISIONING_LOCK = 'provisioning-lock';

const [PARTITIONS, STREAMS] = ['stechuhr.partitions', 'stechuhr.streams'] as const;

/** The layout in the metadata of the first stream; undefined without metadata, that is, without partitions. */
export function eventLayoutOf(metadata: Readonly<Record<string, string>> | undefined): EventLayout | undefined {
  const [partitions, count] = [Number(metadata?.[PARTITIONS]), Number(metadata?.[STREAMS])];
  if (!isEventPartitions(partitions) || !Number.isInteger(count)) return undefined;
  return { partitions, streams: Math.min(MOST_EVENT_PARTITIONS, Math.max(partitions, count)) };
}

/** The metadata of the first stream for a layout. */
export function metadataOf(layout: EventLayout): Record<string, string> {
  return { [PARTITIONS]: String(layout.partitions), [STREAMS]: String(layout.streams) };
}

/** Every durable consumer, in each stream of events that it consumes. */
export function subscriptionsOf(layout: Pick<EventLayout, 'streams'>): Subscription[] {
  return subscriptions.flatMap((line) => [
    line,
    ...(line.stream === streams.events.name && line.firstPartitionOnly !== true
      ? eventStreams(layout).flatMap((stream, partition) => (partition === 0 ? [] : [{ ...line, stream }]))
      : []),
  ]);
}
