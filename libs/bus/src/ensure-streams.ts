import type { JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { streams, type StreamDefinition } from '@stechuhr/contracts';
import type { StreamSettings } from './config.js';
import { ensureEventStreams } from './ensure-event-streams.js';
import { ensureStream, type When } from './ensure-stream.js';

/**
 * Creates the streams of the catalogue, or brings their subjects up to date; safe from several processes at once. Ages, sizes and copies are
 * those of the settings, else of the catalogue, when a stream is created. What operators change then stays, but for a window that is enforced.
 *
 * @param when an upgrade also gives existing streams what the settings name
 * @returns the names of those that were not there
 */
export async function ensureStreams(manager: JetStreamManager, settings: StreamSettings, when: When): Promise<string[]> {
  const created = await ensureEventStreams(manager, settings, when);
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
