import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import {
  layoutOf,
  ONE_PARTITION,
  partitionedNames,
  partitionedStreams,
  type Layout,
  type Layouts,
  type PartitionedName,
  type PartitionedStream,
} from '@stechuhr/contracts';
import { startPeriodic, type Logger, type Periodic } from '@stechuhr/kernel';
import type { PendingLink } from './link.js';

/** How a partitioned stream is distributed over streams, as known to this process. The server defines it (ADR 36). */
export interface KnownLayout {
  /** Returns the layout; one partition while it is unknown. */
  current(): Promise<Layout>;
  /**
   * Calls back when the layout is known, and after each change.
   * @returns stops it
   */
  follow(listener: (layout: Layout) => void): () => void;
  close(): Promise<void>;
}

interface KnownLayoutOptions {
  readonly partitioned: PartitionedStream;
  readonly link: () => PendingLink;
  readonly logger: Logger;
  /** Called when the stream seems to be missing. */
  readonly missed: () => void;
}

/** A running process notices a new number of partitions within this time. */
export const CHECK_INTERVAL_MS = 10_000;

/**
 * Reads the current layout of a partitioned stream.
 * @throws JetStreamApiError if the first stream is missing
 */
export async function readLayout(manager: JetStreamManager, partitioned: PartitionedStream): Promise<Layout> {
  return layoutOf((await manager.streams.info(partitioned.stream(0))).config.metadata) ?? ONE_PARTITION;
}

/**
 * Reads the current layout of every partitioned stream.
 * @param mayLack whether a stream without a first partition counts as one partition
 * @throws JetStreamApiError if a first stream is missing
 */
export async function readLayouts(manager: JetStreamManager, { mayLack = false } = {}): Promise<Layouts> {
  const read = (partitioned: PartitionedStream): Promise<Layout> =>
    readLayout(manager, partitioned).catch((caught: unknown) => {
      if (!mayLack || !isMissingStream(caught)) throw caught;
      return ONE_PARTITION;
    });
  const found = await Promise.all(partitionedNames.map(async (name) => [name, await read(partitionedStreams[name])] as const));
  return Object.fromEntries(found) as Record<PartitionedName, Layout>;
}

/** Whether an error says that there is no such stream. */
export function isMissingStream(caught: unknown): boolean {
  return caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.StreamNotFound;
}

const routed = partitionedNames.filter((name) => partitionedStreams[name].slotsAddedBy === 'publishers');

/**
 * Returns the subject on which to publish: if there are partitions, the subject in the slot of the institution. While the layout is unknown, it is the
 * message's own subject, which the first partition accepts, since an event without an outbox is published only once.
 */
export async function routeOf(subject: string, layouts: Readonly<Record<PartitionedName, Pick<KnownLayout, 'current'>>>): Promise<string> {
  const name = routed.find((one) => partitionedStreams[one].slotPattern(subject) !== undefined);
  if (name === undefined || (await layouts[name].current()).partitions === 1) return subject;
  return partitionedStreams[name].slotSubject(subject) ?? subject;
}

/** Used if the server forbids the request, since it logs each refusal. */
const FORBIDDEN_PAUSE_MS = 600_000;

/** Starts reading when it is first asked for, or with the first listener, since not every process uses each stream. */
export function trackLayout({ partitioned, ...options }: KnownLayoutOptions): KnownLayout {
  let layout: Layout | undefined;
  let first: Promise<void> | undefined;
  let watch: Periodic | undefined;
  let forbiddenUntil = 0;
  const listeners = new Set<(layout: Layout) => void>();
  const readNow = async (): Promise<void> => {
    const manager = options.link().isConnected() ? options.link().current()?.manager : undefined;
    if (manager === undefined || performance.now() < forbiddenUntil) return;
    const found = await readLayout(manager, partitioned).catch((caught: unknown) => {
      if (isMissingStream(caught)) options.missed();
      if (!isForbidden(caught)) return undefined;
      forbiddenUntil = performance.now() + FORBIDDEN_PAUSE_MS;
      const stream = partitioned.stream(0);
      options.logger.error(
        { err: caught, stream },
        'this user may not ask for the partitions of a stream: it goes on as if there were one',
      );
      return layout ?? ONE_PARTITION;
    });
    if (found === undefined || (found.partitions === layout?.partitions && found.streams === layout.streams)) return;
    layout = found;
    for (const listener of listeners) listener(found);
  };
  const begin = (): void => {
    watch ??= startPeriodic(readNow, {
      intervalMs: CHECK_INTERVAL_MS,
      logger: options.logger,
      failure: `the partitions of ${partitioned.stream(0)} are unknown`,
    });
  };
  return {
    async current() {
      begin();
      // A single request for all that ask first.
      if (layout === undefined) await (first ??= readNow().finally(() => (first = undefined)));
      return layout ?? ONE_PARTITION;
    },
    follow(listener) {
      listeners.add(listener);
      begin();
      if (layout === undefined) void options.link().established.then(() => watch?.now());
      else listener(layout);
      return () => void listeners.delete(listener);
    },
    // A pending request ends with the connection.
    close: async () => void watch?.stop(),
  };
}

function isForbidden(caught: unknown): boolean {
  return (caught instanceof errors.RequestError ? caught.cause : caught) instanceof errors.PermissionViolationError;
}
