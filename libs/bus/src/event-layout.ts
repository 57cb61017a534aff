import { setTimeout as delay } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { eventLayoutOf, eventStream, ONE_PARTITION, slotSubject, type EventLayout } from '@stechuhr/contracts';
import { startPeriodic, type Logger, type Periodic } from '@stechuhr/kernel';
import type { PendingLink } from './link.js';

/** How events are distributed over streams, as known to this process. The server defines it (ADR 36). */
export interface KnownLayout {
  /**
   * The subject to publish on: for an event, if there are partitions, the subject in the slot of its institution. While the layout is unknown, it is
   * the event's own subject, which the first partition accepts, since an event without an outbox is published only once.
   */
  route(subject: string): Promise<string>;
  /**
   * Calls back when the layout is known, and after each change.
   * @returns stops it
   */
  follow(listener: (layout: EventLayout) => void): () => void;
  close(): Promise<void>;
}

interface KnownLayoutOptions {
  readonly link: () => PendingLink;
  readonly logger: Logger;
  /** Called when the stream seems to be missing. */
  readonly missed: () => void;
}

const EVENTS = 'stechuhr.events.';
/** A running process notices a new number of partitions within this time. */
const CHECK_INTERVAL_MS = 10_000;

/**
 * Reads the current layout.
 * @throws JetStreamApiError if the first stream is missing
 */
export async function readEventLayout(manager: JetStreamManager): Promise<EventLayout> {
  return eventLayoutOf((await manager.streams.info(eventStream(0))).config.metadata) ?? ONE_PARTITION;
}

/** How long a request for the time may take, in milliseconds; whoever asks has five seconds for everything. */
const CLOCK_MS = 1_000;

/**
 * Reads the time by the clock of the server that leads the first stream, in milliseconds since the epoch. Undefined if it cannot be asked, may not be
 * asked, does not answer within a second, or is older than 2.10.
 */
export async function readEventClock(link: PendingLink): Promise<number | undefined> {
  const manager = link.isConnected() ? link.current()?.manager : undefined;
  const asked = manager?.streams.info(eventStream(0)).catch(() => undefined);
  const { ts } = (await Promise.race([asked, delay(CLOCK_MS, undefined, { ref: false })])) ?? {};
  return ts === undefined ? undefined : Date.parse(ts);
}

/** Used if the server forbids the request, since it logs each refusal. */
const FORBIDDEN_PAUSE_MS = 600_000;

/** Starts reading with the first event that is published, or the first listener, since not every process uses events. */
export function trackLayout(options: KnownLayoutOptions): KnownLayout {
  let layout: EventLayout | undefined;
  let first: Promise<void> | undefined;
  let watch: Periodic | undefined;
  let forbiddenUntil = 0;
  const listeners = new Set<(layout: EventLayout) => void>();
  const readLayout = async (): Promise<void> => {
    const manager = options.link().isConnected() ? options.link().current()?.manager : undefined;
    if (manager === undefined || performance.now() < forbiddenUntil) return;
    const found = await readEventLayout(manager).catch((caught: unknown) => {
      if (caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.StreamNotFound) options.missed();
      if (!isForbidden(caught)) return undefined;
      forbiddenUntil = performance.now() + FORBIDDEN_PAUSE_MS;
      options.logger.error({ err: caught }, 'this user may not ask for the partitions of events: it goes on as if there were one');
      return layout ?? ONE_PARTITION;
    });
    if (found === undefined || (found.partitions === layout?.partitions && found.streams === layout.streams)) return;
    layout = found;
    for (const listener of listeners) listener(found);
  };
  const begin = (): void => {
    watch ??= startPeriodic(readLayout, {
      intervalMs: CHECK_INTERVAL_MS,
      logger: options.logger,
      failure: 'the partitions of events are unknown',
    });
  };
  const known = async (): Promise<EventLayout> => {
    begin();
    // A single request for all that publish first.
    if (layout === undefined) await (first ??= readLayout().finally(() => (first = undefined)));
    return layout ?? ONE_PARTITION;
  };
  return {
    async route(subject) {
      if (!subject.startsWith(EVENTS) || (await known()).partitions === 1) return subject;
      return slotSubject(subject) ?? subject;
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
