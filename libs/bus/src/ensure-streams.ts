import { partitionedName, partitionedStreams, streams, type StreamDefinition } from '@stechuhr/contracts';
import type { StreamSettings } from './config.js';
import { createFirstStream, ensurePartitions } from './ensure-partitions.js';
import { ensureStream, type StreamManager, type When } from './ensure-stream.js';
import type { Link } from './link.js';
import { alone } from './provisioning-lock.js';
import { requireSlotMapping } from './slot-mapping.js';

/** The parts of a connection that provisioning uses. */
export type ProvisioningLink = Pick<Link, 'manager' | 'connection'>;

/**
 * Creates the streams of the catalogue or updates their subjects; concurrent processes do this one after the other. When a stream is created, its
 * age, size and replicas come from the settings, otherwise from the catalogue. Later changes by operators are kept, except that a minimum duplicate
 * window is enforced. The number of partitions is stored in the first stream; the settings define it when that is created, and with an upgrade.
 * @param when an upgrade also applies the settings to existing streams
 * @returns the names of the created streams
 * @throws AppError `unavailable` if others are doing this for 10 s, or for a minute with an upgrade, or if this takes too long; Error if the number
 * of partitions cannot be changed as wanted
 */
export async function ensureStreams(link: ProvisioningLink, settings: StreamSettings, when: When): Promise<string[]> {
  const { events, handovers, ingest } = partitionedStreams;
  // The first stream of events contains the lock.
  const isNew = await createFirstStream(link.manager, events, { settings, when });
  return alone(link.manager, when, async (held) => [
    ...(isNew ? [streams.events.name] : []),
    ...(await ensurePartitions(held, events, { settings, when, isNew })),
    ...(await ensureOthers(held, settings, when)),
    ...(await ensurePartitions(held, handovers, { settings, when })),
    ...(await ensurePartitions(held, ingest, { settings, when, mayGrow: () => requireSlotMapping(link) })),
  ]);
}

async function ensureOthers(manager: StreamManager, settings: StreamSettings, when: When): Promise<string[]> {
  const created: string[] = [];
  for (const definition of Object.values<StreamDefinition>(streams)) {
    if (partitionedName(definition.name) !== undefined) continue;
    const limits = settings.limits.get(definition.name) ?? {};
    const always = { subjects: [...definition.subjects] };
    if (await ensureStream(manager, { definition, limits, always, replicas: settings.replicas, when })) created.push(definition.name);
  }
  return created;
}
