import { streams, type StreamDefinition } from './streams.js';
import { subscriptions, type Subscription } from './subscriptions.js';

/**
 * How the messages of a catalogued stream are distributed over several streams, its partitions (ADR 36, ADR 40): every institution permanently
 * belongs to one of 64 slots, and each partition has a share of the slots. Only the server knows which stream stores a slot. So the number of
 * partitions is changed in a single place.
 */
export interface Layout {
  /** Number of streams that share new messages; 1 without partitions. */
  readonly partitions: number;
  /** Number of streams that may contain messages; greater than `partitions` if there were more partitions before. */
  readonly streams: number;
}

/** Must never change: the messages of an institution would move to another partition. */
export const SLOTS = 64;
/** Limited because the rights on the bus list each stream. */
export const MOST_PARTITIONS = 16;
export const ONE_PARTITION: Layout = { partitions: 1, streams: 1 };

/**
 * Whether a number of partitions is allowed: a power of two, so that all partitions have the same number of slots, and doubling moves half
 * of the slots of each partition to a new one.
 */
export function isPartitionCount(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MOST_PARTITIONS && SLOTS % count === 0;
}

/**
 * Returns the slot of an institution: the 32-bit FNV-1a hash of its id in UTF-8, like `partition(64,1)` in a subject mapping of
 * nats-server.
 */
export function slotOf(institutionId: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(institutionId)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % SLOTS;
}

/** Returns the slots of a partition. */
export function slotsOf(partition: number, partitions: number): number[] {
  return Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => slot % partitions === partition);
}

interface PartitionedStreamOptions {
  readonly definition: StreamDefinition;
  /** Prefix of the public subjects, before the institution. */
  readonly prefix: string;
  /** Prefix of the subjects with a slot, before the slot. */
  readonly slotPrefix: string;
  /**
   * The subjects without a slot that the first partition takes.
   * @param hasAllSlots whether there are no other partitions
   */
  readonly withoutSlot: (hasAllSlots: boolean) => readonly string[];
  readonly slotsAddedBy: 'publishers' | 'server';
}

/** A catalogued stream whose messages can be distributed over partitions. */
export class PartitionedStream {
  readonly definition: StreamDefinition;
  /**
   * Whether the number of partitions can only be raised. A stream cannot assign higher sequences than before, so institutions cannot return to
   * an older one if sequences order their writes.
   */
  readonly onlyGrows: boolean;
  /** Where the server adds slots, it may do so even without partitions. */
  readonly slotsAddedBy: 'publishers' | 'server';
  readonly #slotted: RegExp;

  constructor(private readonly options: PartitionedStreamOptions) {
    this.definition = options.definition;
    this.onlyGrows = options.definition.sequenceOrdersWrites === true;
    this.slotsAddedBy = options.slotsAddedBy;
    this.#slotted = new RegExp(`^${options.slotPrefix.replaceAll('.', String.raw`\.`)}(\\d+)\\.>$`);
  }

  /** The subject transform of each partition, which is applied before a message is stored: consumers find it under its public subject. */
  get transform(): { readonly src: string; readonly dest: string } {
    const { prefix, slotPrefix } = this.options;
    return { src: `${slotPrefix}*.*.>`, dest: `${prefix}{{wildcard(2)}}.>` };
  }

  /** The subject mapping of an account with which the server adds the slot to public subjects. */
  get mapping(): { readonly src: string; readonly dest: string } {
    const { prefix, slotPrefix } = this.options;
    return { src: `${prefix}*.>`, dest: `${slotPrefix}{{partition(${String(SLOTS)},1)}}.{{wildcard(1)}}.>` };
  }

  /** Returns the stream of a partition. The first partition has the name of the stream without partitions, and keeps its messages. */
  stream(partition: number): string {
    return partition === 0 ? this.definition.name : `${this.definition.name}_${String(partition)}`;
  }

  /** Returns the streams that may contain messages. */
  streams({ streams: count }: Pick<Layout, 'streams'>): string[] {
    return Array.from({ length: count }, (_, partition) => this.stream(partition));
  }

  /** Returns the subject with the slot of the institution; undefined for other subjects. */
  slotSubject(subject: string): string | undefined {
    const { prefix, slotPrefix } = this.options;
    if (!subject.startsWith(prefix)) return undefined;
    const rest = subject.slice(prefix.length);
    return `${slotPrefix}${String(slotOf(rest.split('.', 1).join('')))}.${rest}`;
  }

  /** Returns the pattern of the subjects with any slot for a pattern of public subjects; undefined for other subjects. */
  readonly slotPattern = (pattern: string): string | undefined => {
    const { prefix, slotPrefix } = this.options;
    return pattern.startsWith(prefix) ? `${slotPrefix}*.${pattern.slice(prefix.length)}` : undefined;
  };

  /**
   * Returns the subjects of a partition with these slots. A stream needs at least one subject, so a stream without slots gets one on which
   * nothing is published.
   */
  subjects(partition: number, slots: readonly number[]): string[] {
    const { slotPrefix, withoutSlot } = this.options;
    const taken = slots.map((slot) => `${slotPrefix}${String(slot)}.>`);
    if (partition === 0) return [...withoutSlot(slots.length === SLOTS), ...taken];
    return taken.length > 0 ? taken : [`${slotPrefix}none.${String(partition)}`];
  }

  /** Returns the slots of a stream with these subjects. */
  slotsAmong(subjects: readonly string[]): number[] {
    return subjects.flatMap((subject) => {
      const slot = this.#slotted.exec(subject)?.[1];
      return slot === undefined ? [] : [Number(slot)];
    });
  }
}

/** Every catalogued stream that can have partitions, by its name in the catalogue. */
export const partitionedStreams = {
  // Publishers add the slot. Versions without partitions, or those that do not know of them yet, publish without.
  events: new PartitionedStream({
    definition: streams.events,
    prefix: 'stechuhr.events.',
    slotPrefix: 'stechuhr.slots.',
    withoutSlot: () => streams.events.subjects,
    slotsAddedBy: 'publishers',
  }),
  handovers: new PartitionedStream({
    definition: streams.handovers,
    prefix: 'stechuhr.handovers.',
    slotPrefix: 'stechuhr.handover-slots.',
    withoutSlot: () => streams.handovers.subjects,
    slotsAddedBy: 'publishers',
  }),
  // The server adds the slot, since publishers are not ours. Where it does not, their messages are refused as soon as there are partitions:
  // in the first one, they would count as older than those that an institution has sent before.
  ingest: new PartitionedStream({
    definition: streams.ingest,
    prefix: 'stechuhr.ingest.',
    slotPrefix: 'stechuhr.ingest-slots.',
    withoutSlot: (hasAllSlots) => (hasAllSlots ? streams.ingest.subjects : ['stechuhr.ingest.*']),
    slotsAddedBy: 'server',
  }),
} as const satisfies Record<string, PartitionedStream>;

export type PartitionedName = keyof typeof partitionedStreams;

/** The layouts of all partitioned streams. */
export type Layouts = Readonly<Record<PartitionedName, Layout>>;

export const partitionedNames = Object.keys(partitionedStreams) as readonly PartitionedName[];

/** Returns a value for each partitioned stream. */
export function byPartitioned<T>(valueOf: (name: PartitionedName) => T): Readonly<Record<PartitionedName, T>> {
  return Object.fromEntries(partitionedNames.map((name) => [name, valueOf(name)])) as Readonly<Record<PartitionedName, T>>;
}

/** Returns the name under which a stream of the catalogue is partitioned; undefined for other streams, and for further partitions. */
export function partitionedName(stream: string): PartitionedName | undefined {
  return partitionedNames.find((name) => partitionedStreams[name].definition.name === stream);
}

/** Returns the streams that may contain the messages of a stream of the catalogue. */
export function streamsOf(stream: string, layouts: Layouts): string[] {
  const name = partitionedName(stream);
  return name === undefined ? [stream] : partitionedStreams[name].streams(layouts[name]);
}

/** Returns all streams of the platform. */
export function allStreams(layouts: Layouts): string[] {
  return Object.values(streams).flatMap(({ name }) => streamsOf(name, layouts));
}

/** The subject with which the provisioner finds out whether the server adds slots to live objects; no stream stores the message. */
export const MAPPING_PROBE = 'stechuhr.ingest.provisioning.mapping';

/** The consumer of the first stream of events that serves as a lock while partitions are changed; it consumes nothing. */
export const PROVISIONING_LOCK = 'provisioning-lock';

const [PARTITIONS, STREAMS, PLANNED] = ['stechuhr.partitions', 'stechuhr.streams', 'stechuhr.partitions.planned'] as const;

/**
 * Reads the layout of partitions from the metadata of the first stream; undefined if it has none, which means that there are no partitions.
 */
export function layoutOf(metadata: Readonly<Record<string, string>> | undefined): Layout | undefined {
  const [partitions, count] = [Number(metadata?.[PARTITIONS]), Number(metadata?.[STREAMS])];
  if (!isPartitionCount(partitions) || !Number.isInteger(count)) return undefined;
  return { partitions, streams: Math.min(MOST_PARTITIONS, Math.max(partitions, count)) };
}

/** Returns the metadata of the first stream for a layout. */
export function metadataOf(layout: Layout): Record<string, string> {
  return { [PARTITIONS]: String(layout.partitions), [STREAMS]: String(layout.streams) };
}

/** Returns the metadata with which the first stream is created, so that whoever finds it alone knows how many partitions to create. */
export function metadataOfPlan(partitions: number): Record<string, string> {
  return { [PLANNED]: String(partitions) };
}

/** Reads the number of partitions for which the first stream was created; undefined if it does not contain one. */
export function plannedPartitions(metadata: Readonly<Record<string, string>> | undefined): number | undefined {
  const planned = Number(metadata?.[PLANNED]);
  return isPartitionCount(planned) ? planned : undefined;
}

/** Returns every durable consumer, repeated for each stream from which it consumes. */
export function subscriptionsOf(layouts: Layouts): Subscription[] {
  return subscriptions.flatMap((line) =>
    line.firstPartitionOnly === true
      ? [line]
      : streamsOf(line.stream, layouts).map((stream) => (stream === line.stream ? line : { ...line, stream })),
  );
}
