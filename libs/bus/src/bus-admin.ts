import { JetStreamApiError, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream';
import { byPartitioned, ONE_PARTITION, type Layouts } from '@stechuhr/contracts';
import { browse } from './browse-partitions.js';
import type { StoredMessage, StreamQuery } from './browse-stream.js';
import type { BusOptions } from './connect.js';
import { readLayouts } from './layout.js';
import { openLinkNow } from './prepare-bus.js';
import { createPublisher, type Publish } from './publish.js';
import { addsSlots } from './slot-mapping.js';

/** The state of a stream on the server. */
export interface StreamState {
  readonly name: string;
  readonly messages: number;
  readonly bytes: number;
}

/** The state of a durable consumer on the server. */
export interface ConsumerState {
  readonly name: string;
  /** Messages that wait for it or are being handled. */
  readonly pending: number;
  /** When it last delivered a message, or was created. */
  readonly lastActiveAt: Date;
  /** Whether a process is currently requesting or handling messages. */
  readonly isUsed: boolean;
}

/** Stream operations for operators; services use {@link connectBus}. */
export interface BusAdmin {
  publish: Publish;
  /** How partitioned streams are distributed over streams. */
  layouts(): Promise<Layouts>;
  /** Whether the server adds slots to the subjects of live objects, without which their partitions take none. */
  addsSlots(): Promise<boolean>;
  /** Reads messages without consuming them; of a partitioned stream those of all partitions together, also of new ones. */
  browse(query: StreamQuery): AsyncIterable<StoredMessage>;
  /** One message; undefined if it does not exist. */
  message(stream: string, sequence: number): Promise<StoredMessage | undefined>;
  /** False if it did not exist. */
  remove(stream: string, sequence: number): Promise<boolean>;
  /** Undefined if there is no stream with that name. */
  stream(name: string): Promise<StreamState | undefined>;
  /** The durable consumers of a stream; empty if there is no such stream. */
  consumers(stream: string): Promise<readonly ConsumerState[]>;
  close(): Promise<void>;
}

/** Error codes of the server for missing streams and messages, and for messages that cannot be removed. */
const NOT_FOUND = new Set([10_014, 10_037, 10_043, 10_057, 10_059]);

/**
 * Connects for one command.
 * @throws AppError `unavailable` if no server answers
 */
export async function connectBusAdmin(options: Pick<BusOptions, 'servers' | 'name' | 'logger'>): Promise<BusAdmin> {
  const link = await openLinkNow(options);
  const { manager } = link;
  return {
    publish: createPublisher({ link: () => link }),
    browse: (query) => browse(link, query, options.logger),
    addsSlots: () => addsSlots(link),
    layouts: async () => (await orMissing(readLayouts(manager))) ?? byPartitioned(() => ONE_PARTITION),
    async message(stream, sequence) {
      const found = await orMissing(manager.streams.getMessage(stream, { seq: sequence }));
      return found && { sequence: found.seq, subject: found.subject, storedAt: found.time, payload: found.data };
    },
    remove: async (stream, sequence) => (await orMissing(manager.streams.deleteMessage(stream, sequence))) ?? false,
    async stream(wanted) {
      const info = await orMissing(manager.streams.info(wanted));
      return info && { name: wanted, messages: info.state.messages, bytes: info.state.bytes };
    },
    consumers: async (stream) => (await orMissing(durablesOf(manager, stream))) ?? [],
    close: link.close,
  };
}

async function durablesOf({ consumers }: JetStreamManager, stream: string): Promise<ConsumerState[]> {
  const found: ConsumerState[] = [];
  for await (const consumer of consumers.list(stream)) if (consumer.config.durable_name !== undefined) found.push(toState(consumer));
  return found;
}

function toState({ name, num_pending, num_ack_pending, num_waiting, delivered, created }: ConsumerInfo): ConsumerState {
  // An ISO 8601 text, contrary to the client's types; absent until the first message.
  const { last_active: lastActive = created }: { readonly last_active?: unknown } = delivered;
  return {
    name,
    pending: num_pending + num_ack_pending,
    lastActiveAt: new Date(String(lastActive)),
    isUsed: num_waiting > 0 || num_ack_pending > 0,
  };
}

async function orMissing<T>(answer: Promise<T | null>): Promise<T | undefined> {
  try {
    return (await answer) ?? undefined;
  } catch (caught) {
    if (caught instanceof JetStreamApiError && NOT_FOUND.has(caught.code)) return undefined;
    throw caught;
  }
}
