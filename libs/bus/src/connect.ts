import { byPartitioned, partitionedName, partitionedStreams } from '@stechuhr/contracts';
import { AppError, type Logger } from '@stechuhr/kernel';
import { connectionOptions } from './address.js';
import { AloneGate } from './alone-gate.js';
import { provisioningFromEnvironment, streamSettingsFromEnvironment, type StreamSettings } from './config.js';
import { startConsumption, type Consumption } from './consume.js';
import type { ConsumeOptions } from './consume-options.js';
import { startPartitionedConsumption } from './consume-partitions.js';
import { createCrashGuard, noCrashGuard } from './crash-guard.js';
import { readEventClock } from './event-clock.js';
import { routeOf, trackLayout } from './layout.js';
import { openLink, type PendingLink } from './link.js';
import { createProvisioning } from './provisioning.js';
import { createPublisher, type PublishOptions } from './publish.js';
import type { RedeliveryNotes } from './redelivery-notes.js';

/** What {@link connectBus} needs. */
export interface BusOptions {
  /**
   * NATS addresses, separated by commas; credentials may be in the first (`nats://user:password@host:4222`). With `tls://`, servers without TLS are
   * refused.
   */
  readonly servers: string;
  /** The address with the user that may create streams and consumers, for the one service that does so; `NATS_PROVISIONING_URL` by default. */
  readonly provisioning?: string | undefined;
  /** Name of the connection, that is, of the service. */
  readonly name: string;
  readonly logger: Logger;
  /** `NATS_REPLICAS`, `NATS_STREAMS` and `NATS_SUBSCRIBERS` by default. */
  readonly settings?: StreamSettings;
  /** Where messages are noted that may end the process that handles them. Without notes such messages are delivered again for ever. */
  readonly notes?: RedeliveryNotes;
}

/** The connection of a process to JetStream. */
export interface Bus {
  /**
   * Publishes one message and waits until the stream has stored it. At most 128 messages are in flight, further ones queue. The trace of the active
   * span is sent in the headers.
   * @throws AppError `unavailable` if there is no connection, or no acknowledgement within 5 s; `invalid` if it is larger than the server accepts
   */
  publish(subject: string, payload: Uint8Array | string, options?: PublishOptions): Promise<void>;
  /** Handles the messages of a durable consumer until stopped; see {@link ConsumeOptions}. */
  consume(options: ConsumeOptions): Consumption;
  /**
   * Creates or updates the streams of the platform, if this process has the rights: with {@link BusOptions.provisioning}, or on a server without
   * users. Without a connection, this happens as soon as there is one. From then on, streams that the server has lost are created again.
   */
  ensureStreams(): Promise<void>;
  /**
   * Returns the time by the clock of the server that stores events, the one of `storedAt` of their messages, in milliseconds since the epoch; undefined
   * if the server cannot be asked.
   */
  eventClock(): Promise<number | undefined>;
  /** Whether there currently is a connection. */
  isConnected(): boolean;
  /** Rejects without a connection; for `/readyz`. */
  ping(): Promise<void>;
  /** Waits until sent messages are acknowledged, then closes the connection. Stop consumers and relays first. */
  close(): Promise<void>;
}

/**
 * Connects to JetStream. If no server answers, the bus connects in the background and rejects publications until then: a service with an outbox need
 * not wait for NATS.
 */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { servers, name, logger, notes } = options;
  const { settings = streamSettingsFromEnvironment(), provisioning = provisioningFromEnvironment() } = options;
  const link: PendingLink = await openLink(connectionOptions(servers, name), logger, () => provisioner.missed());
  const provisioner = createProvisioning({ servers, provisioning, name, logger, settings }, () => link);
  const missed = (): void => provisioner.missed();
  const layouts = byPartitioned((one) => trackLayout({ partitioned: partitionedStreams[one], link: () => link, logger, missed }));
  const route = (subject: string): Promise<string> => routeOf(subject, layouts);
  const publish = createPublisher({ link: () => link.current(), route, onMissingStream: missed });
  const gate = new AloneGate();
  const guardFor = (durable: string) => (notes === undefined ? noCrashGuard : createCrashGuard({ gate, notes, durable, logger }));
  return {
    publish,
    consume(consumed) {
      const options = { ...consumed, established: link.established, publish, logger, provisioner, guardFor };
      const partitioned = consumed.firstPartitionOnly === true ? undefined : partitionedName(consumed.stream);
      if (partitioned === undefined) return startConsumption(options);
      return startPartitionedConsumption(options, partitionedStreams[partitioned], layouts[partitioned]);
    },
    ensureStreams: () => provisioner.ensure(),
    eventClock: () => readEventClock(link),
    isConnected: () => link.isConnected(),
    async ping() {
      if (!link.isConnected()) throw new AppError('unavailable', 'There is no connection to NATS.');
    },
    async close() {
      await Promise.all(Object.values(layouts).map((layout) => layout.close()));
      await provisioner.close();
      await link.close();
    },
  };
}
