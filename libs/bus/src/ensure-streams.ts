import { JetStreamApiError } from '@nats-io/jetstream';
import { partitionedName, partitionedStreams, streams, type StreamDefinition } from '@stechuhr/contracts';
import type { StreamSettings } from './config.js';
import { createFirstStream, ensurePartitions } from './ensure-partitions.js';
import { ensureStream, type StreamManager, type When } from './ensure-stream.js';
import type { Link } from './link.js';
import { alone } from './provisioning-lock.js';
import { requireSlotMapping } from './slot-mapping.js';

/** The parts of a connection that provisioning uses. */
export type ProvisioningLink = Pick<Link, 'manager' | 'connection'>;

/** What became of the streams. */
export interface EnsuredStreams {
  /** Names of the created streams. */
  readonly created: readonly string[];
  /** Why the server refused a stream, for example because it has no room for it; the first one, if it refused several. */
  readonly refusal: JetStreamApiError | undefined;
}

/**
 * Creates the streams of the catalogue or updates their subjects; concurrent processes do this one after the other. When a stream is created, its
 * age, size and replicas come from the settings, otherwise from the catalogue. Later changes by operators are kept, except that a minimum duplicate
 * window is enforced. The number of partitions is stored in the first stream; the settings define it when that is created, and with an upgrade.
 * A stream that the server refuses does not hold up the others.
 * @param when an upgrade also applies the settings to existing streams
 * @throws AppError `unavailable` if others are doing this for 10 s, or for a minute with an upgrade, or if this takes too long; JetStreamApiError if
 * the first stream of events is refused; Error if the number of partitions cannot be changed as wanted
 */
export async function ensureStreams(link: ProvisioningLink, settings: StreamSettings, when: When): Promise<EnsuredStreams> {
  const { events, handovers, ingest } = partitionedStreams;
  // The first stream of events contains the lock.
  const isNew = await createFirstStream(link.manager, events, { settings, when });
  return alone(link.manager, when, (held) =>
    eachUnlessRefused(isNew ? [streams.events.name] : [], [
      () => ensurePartitions(held, events, { settings, when, isNew }),
      ...unpartitioned.map((definition) => () => ensureOther(held, definition, settings, when)),
      () => ensurePartitions(held, handovers, { settings, when }),
      () => ensurePartitions(held, ingest, { settings, when, mayGrow: () => requireSlotMapping(link) }),
    ]),
  );
}

const unpartitioned = Object.values<StreamDefinition>(streams).filter(({ name }) => partitionedName(name) === undefined);

async function eachUnlessRefused(before: readonly string[], steps: readonly (() => Promise<readonly string[]>)[]): Promise<EnsuredStreams> {
  const created = [...before];
  let refusal: JetStreamApiError | undefined;
  for (const step of steps) {
    try {
      created.push(...(await step()));
    } catch (caught) {
      if (!(caught instanceof JetStreamApiError)) throw caught;
      refusal ??= caught;
    }
  }
  return { created, refusal };
}

async function ensureOther(manager: StreamManager, definition: StreamDefinition, settings: StreamSettings, when: When): Promise<string[]> {
  const limits = settings.limits.get(definition.name) ?? {};
  const always = { subjects: [...definition.subjects] };
  return (await ensureStream(manager, { definition, limits, always, replicas: settings.replicas, when })) ? [definition.name] : [];
}
