import type { JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { streams, type StreamDefinition } from '@stechuhr/contracts';
import type { StreamSettings } from './config.js';
import { createFirstEventStream, ensureEventStreams } from './ensure-event-streams.js';
import { ensureStream, type StreamManager, type When } from './ensure-stream.js';
import { alone } from './provisioning-lock.js';

/**
 * Creates the streams of the catalogue, or brings their subjects up to date; safe from several processes at once, one after the other. Ages,
 * sizes and copies are those of the settings, else of the catalogue, when a stream is created. What operators change then stays, but for a window
 * that is enforced. How many partitions the events have says their first stream: the settings name it where that is created, and with an upgrade.
 *
 * @param when an upgrade also gives existing streams what the settings name
 * @returns the names of those that were not there
 * @throws AppError `unavailable` when others do it for 10 s, with an upgrade for a minute, or when this takes too long
 */
export async function ensureStreams(manager: JetStreamManager, settings: StreamSettings, when: When): Promise<string[]> {
  // It holds the lock.
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
