import { JetStreamApiError, RetentionPolicy, StorageType, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { streams, type StreamDefinition } from '@stechuhr/contracts';

const NAME_IN_USE = 10058;

/**
 * Creates the streams of the catalogue, or brings their limits up to date; safe from several processes at once.
 *
 * @param replicas copies of each stream; without it existing streams keep theirs
 */
export async function ensureStreams(manager: JetStreamManager, replicas?: number): Promise<void> {
  for (const stream of Object.values<StreamDefinition>(streams)) await ensureStream(manager, stream, replicas);
}

async function ensureStream(manager: JetStreamManager, stream: StreamDefinition, replicas?: number): Promise<void> {
  const changeable = {
    subjects: [...stream.subjects],
    max_age: nanos(stream.maxAgeMs ?? 0),
    duplicate_window: nanos(stream.duplicateWindowMs),
    ...(replicas !== undefined && { num_replicas: replicas }),
  };
  try {
    await manager.streams.add({
      name: stream.name,
      storage: StorageType.File,
      retention: stream.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
      num_replicas: 1,
      ...changeable,
    });
  } catch (caught) {
    if (!(caught instanceof JetStreamApiError) || caught.code !== NAME_IN_USE) throw caught;
    await manager.streams.update(stream.name, changeable);
  }
}
