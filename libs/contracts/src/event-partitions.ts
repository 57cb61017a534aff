import { streams } from './streams.js';
import { subscriptions, type Subscription } from './subscriptions.js';

/**
 * Partitions of the events (ADR 36): every institution has one of 64 slots for good, and each partition takes a share of the slots. Publishers
 * know slots, only the server knows which stream takes them: so the number of partitions is changed in one place.
 */
export interface EventLayout {
  /** Streams that share what is published now; 1 where there are no partitions. */
  readonly partitions: number;
  /** Streams that hold events: more than the partitions when there were more before. */
  readonly streams: number;
}

/** Never to be changed: the events of an institution would change their partition. */
export const EVENT_SLOTS = 64;
/** Rights on the bus name each stream. */
export const MOST_EVENT_PARTITIONS = 16;
export const ONE_PARTITION: EventLayout = { partitions: 1, streams: 1 };

const [PUBLIC, SLOTS] = ['stechuhr.events.', 'stechuhr.slots.'] as const;

/** What a partition does with a message before it stores it: subscribers find it on the subject that they know. */
export const slotTransform = { src: `${SLOTS}*.*.>`, dest: `${PUBLIC}{{wildcard(2)}}.>` } as const;

/** Whether there may be so many: a power of two, so that all partitions have as many slots, and doubling moves half of each to a new one. */
export function isEventPartitions(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MOST_EVENT_PARTITIONS && EVENT_SLOTS % count === 0;
}

/** The slot of an institution: FNV-1a of its id in UTF-8, 32 bits, as `partition(64,1)` of a mapping of nats-server. */
export function eventSlot(institutionId: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(institutionId)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % EVENT_SLOTS;
}

/** The stream of a partition; the first has the name of the stream without partitions, and keeps its events. */
export function eventStream(partition: number): string {
  return partition === 0 ? streams.events.name : `${streams.events.name}_${String(partition)}`;
}

/** The streams that hold events. */
export function eventStreams({ streams: count }: Pick<EventLayout, 'streams'>): string[] {
  return Array.from({ length: count }, (_, partition) => eventStream(partition));
}

/** All streams of the platform. */
export function allStreams(layout: Pick<EventLayout, 'streams'>): string[] {
  const others = Object.values(streams).flatMap(({ name }) => (name === streams.events.name ? [] : [name]));
  return [...eventStreams(layout), ...others];
}

/** The same event in the slot of its institution, for the partition that takes it; undefined for what is no event. */
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
 * The subjects of a partition with these slots. The first also takes what is published without a slot, by a version that knows none. A stream
 * cannot be without any: one that has no slots has a subject on which nobody publishes.
 */
export function partitionSubjects(partition: number, slots: readonly number[]): string[] {
  const taken = slots.map((slot) => `${SLOTS}${String(slot)}.>`);
  if (partition === 0) return [...streams.events.subjects, ...taken];
  return taken.length > 0 ? taken : [`${SLOTS}none.${String(partition)}`];
}

/** The slots that a stream with these subjects takes. */
export function slotsAmong(subjects: readonly string[]): number[] {
  return subjects.flatMap((subject) => {
    const slot = /^stechuhr\.slots\.(\d+)\.>$/.exec(subject)?.[1];
    return slot === undefined ? [] : [Number(slot)];
  });
}

/** The consumer of the first stream that whoever arranges partitions holds meanwhile: it takes nothing. */
export const PROVISIONING_LOCK = 'provisioning-lock';

const [PARTITIONS, STREAMS] = ['stechuhr.partitions', 'stechuhr.streams'] as const;

/** How the events are spread over streams, by the metadata of the first; undefined where it has none, and there are no partitions. */
export function eventLayoutOf(metadata: Readonly<Record<string, string>> | undefined): EventLayout | undefined {
  const [partitions, count] = [Number(metadata?.[PARTITIONS]), Number(metadata?.[STREAMS])];
  if (!isEventPartitions(partitions) || !Number.isInteger(count)) return undefined;
  return { partitions, streams: Math.min(MOST_EVENT_PARTITIONS, Math.max(partitions, count)) };
}

/** What the first stream says about all. */
export function metadataOf(layout: EventLayout): Record<string, string> {
  return { [PARTITIONS]: String(layout.partitions), [STREAMS]: String(layout.streams) };
}

/** Every durable consumer, in each stream of events that it takes from. */
export function subscriptionsOf(layout: Pick<EventLayout, 'streams'>): Subscription[] {
  return subscriptions.flatMap((line) => [
    line,
    ...(line.stream === streams.events.name && line.firstPartitionOnly !== true
      ? eventStreams(layout).flatMap((stream, partition) => (partition === 0 ? [] : [{ ...line, stream }]))
      : []),
  ]);
}
