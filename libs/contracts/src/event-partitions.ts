import { streams } from './streams.js';
import { subscriptions, type Subscription } from './subscriptions.js';

/**
 * Partitions of the events (ADR 36): every institution permanently belongs to one of 64 slots, and each partition has a share of the slots.
 * Publishers only use slots; only the server knows which stream stores them. So the number of partitions is changed in a single place.
 */
export interface EventLayout {
  /** Number of streams that share newly published events; 1 without partitions. */
  readonly partitions: number;
  /** Number of streams that contain events; greater than `partitions` if there were more partitions before. */
  readonly streams: number;
}

/** Must never change: the events of an institution would move to another partition. */
export const EVENT_SLOTS = 64;
/** Limited because the rights on the bus list each stream. */
export const MOST_EVENT_PARTITIONS = 16;
export const ONE_PARTITION: EventLayout = { partitions: 1, streams: 1 };

const [PUBLIC, SLOTS] = ['stechuhr.events.', 'stechuhr.slots.'] as const;

/** The subject transform of a partition, which is applied before a message is stored: subscribers find it under its public subject. */
export const slotTransform = { src: `${SLOTS}*.*.>`, dest: `${PUBLIC}{{wildcard(2)}}.>` } as const;

/**
 * Whether a number of partitions is allowed: a power of two, so that all partitions have the same number of slots, and doubling moves half
 * of the slots of each partition to a new one.
 */
export function isEventPartitions(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MOST_EVENT_PARTITIONS && EVENT_SLOTS % count === 0;
}

/**
 * Returns the slot of an institution: the 32-bit FNV-1a hash of its id in UTF-8, like `partition(64,1)` in a subject mapping of
 * nats-server.
 */
export function eventSlot(institutionId: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(institutionId)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % EVENT_SLOTS;
}

/** Returns the stream of a partition. The first partition has the name of the stream without partitions, and keeps its events. */
export function eventStream(partition: number): string {
  return partition === 0 ? streams.events.name : `${streams.events.name}_${String(partition)}`;
}

/** Returns the streams that contain events. */
export function eventStreams({ streams: count }: Pick<EventLayout, 'streams'>): string[] {
  return Array.from({ length: count }, (_, partition) => eventStream(partition));
}

/** Returns all streams of the platform. */
export function allStreams(layout: Pick<EventLayout, 'streams'>): string[] {
  const others = Object.values(streams).flatMap(({ name }) => (name === streams.events.name ? [] : [name]));
  return [...eventStreams(layout), ...others];
}

/** Returns the subject with the slot of the institution, under which an event is published; undefined for other subjects. */
export function slotSubject(subject: string): string | undefined {
  if (!subject.startsWith(PUBLIC)) return undefined;
  const rest = subject.slice(PUBLIC.length);
  return `${SLOTS}${String(eventSlot(rest.split('.', 1).join('')))}.${rest}`;
}

/** Returns the slots of a partition. */
export function slotsOf(partition: number, partitions: number): number[] {
  return Array.from({ length: EVENT_SLOTS }, (_, slot) => slot).filter((slot) => slot % partitions === partition);
}

/**
 * Returns the subjects of a partition with these slots. The first partition also stores events published without a slot, by versions
 * without partitions. A stream needs at least one subject, so a stream without slots gets one on which nothing is published.
 */
export function partitionSubjects(partition: number, slots: readonly number[]): string[] {
  const taken = slots.map((slot) => `${SLOTS}${String(slot)}.>`);
  if (partition === 0) return [...streams.events.subjects, ...taken];
  return taken.length > 0 ? taken : [`${SLOTS}none.${String(partition)}`];
}

/** Returns the slots of a stream with these subjects. */
export function slotsAmong(subjects: readonly string[]): number[] {
  return subjects.flatMap((subject) => {
    const slot = /^stechuhr\.slots\.(\d+)\.>$/.exec(subject)?.[1];
    return slot === undefined ? [] : [Number(slot)];
  });
}

/** The consumer of the first stream that serves as a lock while partitions are changed; it consumes nothing. */
export const PROVISIONING_LOCK = 'provisioning-lock';

const [PARTITIONS, STREAMS, PLANNED] = ['stechuhr.partitions', 'stechuhr.streams', 'stechuhr.partitions.planned'] as const;

/**
 * Reads the layout of the event streams from the metadata of the first stream; undefined if it has none, which means that there are no
 * partitions.
 */
export function eventLayoutOf(metadata: Readonly<Record<string, string>> | undefined): EventLayout | undefined {
  const [partitions, count] = [Number(metadata?.[PARTITIONS]), Number(metadata?.[STREAMS])];
  if (!isEventPartitions(partitions) || !Number.isInteger(count)) return undefined;
  return { partitions, streams: Math.min(MOST_EVENT_PARTITIONS, Math.max(partitions, count)) };
}

/** Returns the metadata of the first stream for a layout. */
export function metadataOf(layout: EventLayout): Record<string, string> {
  return { [PARTITIONS]: String(layout.partitions), [STREAMS]: String(layout.streams) };
}

/** Returns the metadata with which the first stream is created, so that whoever finds it alone knows how many partitions to create. */
export function metadataOfPlan(partitions: number): Record<string, string> {
  return { [PLANNED]: String(partitions) };
}

/** Reads the number of partitions for which the first stream was created; undefined if it does not contain one. */
export function plannedPartitions(metadata: Readonly<Record<string, string>> | undefined): number | undefined {
  const planned = Number(metadata?.[PLANNED]);
  return isEventPartitions(planned) ? planned : undefined;
}

/** Returns every durable consumer, repeated for each stream of events from which it consumes. */
export function subscriptionsOf(layout: Pick<EventLayout, 'streams'>): Subscription[] {
  return subscriptions.flatMap((line) => [
    line,
    ...(line.stream === streams.events.name && line.firstPartitionOnly !== true
      ? eventStreams(layout).flatMap((stream, partition) => (partition === 0 ? [] : [{ ...line, stream }]))
      : []),
  ]);
}
