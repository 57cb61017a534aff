import type { JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { streams, type StreamDefinition } from '@stechuhr/contracts';
import type { StreamSettings } from './config.js';
import { createFirstEventStream, ensureEventStreams } from './ensure-event-streams.js';
import { ensureStream, type StreamManager, type When } from './ensure-stream.js';
import { alone } from './provisioning-lock.js';

/**
 * Creates the streams of the catalogue or updates their subjects; concurrent processes do this one after the other. When a stream is created, its
 * age, size and replicas come from the settings, otherwise from the catalogue. Later changes by operators are kept, except that a minimum duplicate
 * window is enforced. The number of partitions is stored in the first event stream; the settings define it when that is created, and with an upgrade.
 * @param when an upgrade also applies the settings to existing streams
 * @returns the names of the created streams
 * @throws AppError `unavailable` if others are doing this for 10 s, or for a minute with an upgrade, or if this takes too long
 */
export async function ensureStreams(manager: JetStreamManager, settings: StreamSettings, when: When): Promise<string[]> {
  // The first stream contains the lock.
  const isNew = await createFirstEventStream(manager, settings, when);
  const partitions = isNew || when === 'upgrade' ? settings.partitions : undefined;
  return alone(manager, when, async (held) => [
    ...(isNew ? [streams.events.name] : []),
    ...(await ensureEventStreams(held, partitions, settings, when)),
    ...(await ensureOthers(held, settings, when)),
  ]);
}

async function ensureOthers(manager: StreamManager, settings: StreamSettings, when: When): Promise<string[]> {
  const created: string[] = [];
  for (const definition of Object.values<StreamDefinition>(streams)) {
    if (definition.name === streams.events.name) continue;
    const always = {
      subjects: [...definition.subjects],
      ...(definition.enforcesDuplicateWindow && { duplicate_window: nanos(definition.duplicateWindowMs) }),
    };
    const limits = settings.limits.get(definition.name) ?? {};
    if (await ensureStream(manager, { definition, limits, always, replicas: settings.replicas, when })) created.push(definition.name);
  }
  return created;
}
