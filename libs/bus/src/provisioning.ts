import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { subscriptionsOf } from '@stechuhr/contracts';
import { startPeriodic, type Logger, type Periodic } from '@stechuhr/kernel';
import { connectionOptions, namesUser } from './address.js';
import type { StreamSettings } from './config.js';
import { ensureStreams, type ProvisioningLink } from './ensure-streams.js';
import { readLayouts } from './layout.js';
import { openLink, type PendingLink } from './link.js';
import { streamsRestored } from './metrics.js';
import { observeLagOfOthers } from './observe-lag.js';
import { observeStreams } from './observe-streams.js';
import { ensureConsumer, isIncomplete, provision, type ConsumerLine } from './provision.js';
import { stuckMessages } from './stuck-messages.js';
import { subscriberConsumers } from './subscriber-consumers.js';

/** How a process provisions streams and consumers on the server, depending on its rights (ADR 27). */
export interface Provisioning {
  /** From now on, missing streams of the platform are created, and existing ones updated once; without a connection, as soon as there is one. */
  ensure(): Promise<void>;
  /** Reports that a stream or consumer seems to be missing. */
  missed(): void;
  /** Creates a consumer that this process is about to use. */
  ensureConsumer(line: ConsumerLine): Promise<void>;
  close(): Promise<void>;
}

/** Who provisions, where and how often. */
export interface ProvisioningOptions {
  readonly servers: string;
  /** The same servers with the user that may provision. */
  readonly provisioning: string | undefined;
  readonly name: string;
  readonly logger: Logger;
  readonly settings: StreamSettings;
}

const PAUSE_MS = 1_000;
/** How often the provisioner checks whether something is missing, since processes that notice it cannot tell the provisioner. */
const CHECK_INTERVAL_MS = 5_000;
const FAILURE = 'the streams could not be created or looked at';

/** Chooses how this process provisions: with the dedicated user, on a server without users, or not at all. */
export function createProvisioning(options: ProvisioningOptions, link: () => PendingLink): Provisioning {
  const { provisioning, servers } = options;
  if (provisioning !== undefined) return asProvisioner({ ...options, provisioning });
  return namesUser(servers) ? byOthers : withoutUsers(options, link);
}

/** The server would reject any attempt of this process; the provisioner does it. */
const byOthers: Provisioning = {
  ensure: async () => undefined,
  missed: () => undefined,
  ensureConsumer: async () => undefined,
  close: async () => undefined,
};

/** One service has the rights, uses them over a separate connection, and provisions for all services. */
function asProvisioner({ provisioning, name, logger, settings }: ProvisioningOptions & { readonly provisioning: string }): Provisioning {
  let link: PendingLink | undefined;
  let watch: Periodic | undefined;
  let isUpToDate = false;
  let observed: readonly (() => void)[] = [];
  const stuck = stuckMessages();
  const subscribers = subscriberConsumers(settings.subscribers, logger);
  const check = async (): Promise<void> => {
    const connected = linkNow(link);
    if (connected === undefined) return;
    await checkPlatform(connected);
    await subscribers.check(connected.manager);
  };
  const checkPlatform = async (connected: ProvisioningLink): Promise<void> => {
    const { manager } = connected;
    if (isUpToDate && !(await needsProvisioning(manager))) {
      const lines = subscriptionsOf(await readLayouts(manager));
      for (const line of await stuck.check(manager, lines)) reportStuck(line, logger);
      return;
    }
    const { created, recreated, refusal } = await provision(connected, settings, 'start');
    if (isUpToDate) reportRestored(created, logger);
    for (const line of recreated) reportAhead(line, logger);
    if (refusal !== undefined) throw refusal;
    isUpToDate = true;
  };
  return {
    async ensure() {
      if (link !== undefined) return;
      beginCounting();
      link = await openLink(connectionOptions(provisioning, `${name}-provisioning`), logger, () => void watch?.now());
      observed = [observeStreams(() => linkNow(link)), observeLagOfOthers(() => linkNow(link)?.manager, subscribers.kept)];
      watch = startPeriodic(check, { intervalMs: CHECK_INTERVAL_MS, logger, failure: FAILURE });
      await firstCheck(watch, link);
    },
    missed: () => void watch?.now(),
    ensureConsumer: async () => undefined,
    async close() {
      for (const unobserve of observed) unobserve();
      await watch?.stop();
      await link?.close();
    },
  };
}

/** On a server without users, each process creates what it uses, so that any of them can be started alone. */
function withoutUsers({ logger, settings }: ProvisioningOptions, link: () => PendingLink): Provisioning {
  let areWanted = false;
  let mayBeMissing = false;
  let wereThere = false;
  let nextAt = 0;
  let unobserve: (() => void) | undefined;
  const stuck = stuckMessages();
  const lines = new Map<string, ConsumerLine>();
  let watch: Periodic | undefined;
  const ensure = async (connected: ProvisioningLink): Promise<void> => {
    mayBeMissing = false;
    try {
      const { created, refusal } = await ensureStreams(connected, settings, 'start');
      if (wereThere) reportRestored(created, logger);
      if (refusal !== undefined) throw refusal;
      wereThere = true;
    } catch (caught) {
      mayBeMissing = true;
      throw caught;
    }
  };
  const check = async (): Promise<void> => {
    const connected = linkNow(link());
    if (connected === undefined) return;
    if (mayBeMissing) await ensure(connected);
    for (const line of await stuck.check(connected.manager, [...lines.values()])) reportStuck(line, logger);
  };
  const begin = (): Periodic => (watch ??= startPeriodic(check, { intervalMs: CHECK_INTERVAL_MS, logger, failure: FAILURE }));
  return {
    async ensure() {
      areWanted = true;
      mayBeMissing = true;
      beginCounting();
      unobserve ??= observeStreams(() => linkNow(link()));
      await firstCheck(begin(), link());
    },
    missed() {
      if (!areWanted) return;
      mayBeMissing = true;
      const now = performance.now();
      if (now < nextAt) return;
      nextAt = now + PAUSE_MS;
      void begin().now();
    },
    async ensureConsumer(line) {
      if (await ensureConsumer((await link().established).manager, line)) reportAhead(line, logger);
      lines.set(`${line.stream} ${line.durable}`, line);
      begin();
    },
    async close() {
      unobserve?.();
      await watch?.stop();
    },
  };
}

function linkNow(link: PendingLink | undefined): ProvisioningLink | undefined {
  return link?.isConnected() === true ? link.current() : undefined;
}

/**
 * Waits for the first check if there is a connection. A server that has just started, or is suspended, may not be able to create anything yet; this
 * is retried with the next check.
 */
async function firstCheck(watch: Periodic, link: PendingLink): Promise<void> {
  if (link.current() !== undefined) await watch.now();
  else void link.established.then(() => watch.now());
}

const MISSING = new Set<number>([JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound]);

/** Whether a stream or consumer is missing or misconfigured. */
async function needsProvisioning(manager: JetStreamManager): Promise<boolean> {
  try {
    return await isIncomplete(manager);
  } catch (caught) {
    if (caught instanceof JetStreamApiError && MISSING.has(caught.code)) return true;
    throw caught;
  }
}

/** Initializes the counters, since the first increase of a counter that begins at one would be missed. */
function beginCounting(): void {
  streamsRestored.add(0);
}

function reportRestored(created: readonly string[], logger: Logger): void {
  if (created.length === 0) return;
  streamsRestored.add(created.length);
  logger.error({ streams: created }, 'streams were missing and were created again: the server lost its store');
}

function reportStuck({ stream, durable }: ConsumerLine, logger: Logger): void {
  logger.warn({ stream, durable }, 'a work queue kept messages that were handled, as on a disk that is full: they are delivered again');
}

function reportAhead({ stream, durable }: ConsumerLine, logger: Logger): void {
  logger.error({ stream, durable }, 'a consumer was ahead of its stream and begins again: the server lost messages of the stream');
}
