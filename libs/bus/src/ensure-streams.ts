import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { streams, type StreamDefinition } from '@stechuhr/contracts';

const NAME_IN_USE = 10_058;

/**
 * Creates the streams of the catalogue, or brings their subjects up to date; safe from several processes at once. Ages and sizes are those
 * of the catalogue when a stream is created; what operators change then stays, but for a window that is enforced.
 *
 * @param replicas copies of each stream; without it existing streams keep theirs
 * @returns the names of those that were not there
 */
export async function ensureStreams(manager: JetStreamManager, replicas?: number): Promise<string[]> {
  const created: string[] = [];
  for (const stream of Object.values<StreamDefinition>(streams)) {
    if (await ensureStream(manager, stream, replicas)) created.push(stream.name);
  }
  return created;
}

/** Microseconds since 1970: above every sequence of a stream that took less than a million messages a second, and exact in a double. */
function sequenceFromNow(): number {
  return Date.now() * 1_000;
}

async function ensureStream(manager: JetStreamManager, stream: StreamDefinition, replicas?: number): Promise<boolean> {
  const changeable = {
    subjects: [...stream.subjects],
    ...(replicas !== undefined && { num_replicas: replicas }),
    ...(stream.enforcesDuplicateWindow && { duplicate_window: nanos(stream.duplicateWindowMs) }),
  };
  try {
    const { config } = await manager.streams.info(stream.name);
    await manager.streams.update(stream.name, { ...changeable, ...missingLimits(config, stream) });
    return false;
  } catch (caught) {
    if (!(caught instanceof JetStreamApiError) || caught.code !== JetStreamApiCodes.StreamNotFound) throw caught;
  }
  const isMine = await add(manager, stream, changeable);
  if (!isMine) await manager.streams.update(stream.name, changeable);
  return isMine;
}

/** A work queue that is full refuses messages; dropping those that nobody has handled would lose them. */
function limitsOf({ retention, maxBytes, maxMessagesPerSubject }: StreamDefinition): Partial<StreamConfig> {
  const refuses = retention === 'workqueue';
  return {
    max_bytes: maxBytes,
    discard: refuses ? DiscardPolicy.New : DiscardPolicy.Old,
    ...(maxMessagesPerSubject !== undefined && { max_msgs_per_subject: maxMessagesPerSubject, discard_new_per_subject: refuses }),
  };
}

/** Those of a stream that has none yet: what operators have set stays as it is. */
function missingLimits(config: StreamConfig, stream: StreamDefinition): Partial<StreamConfig> {
  if (config.max_bytes > 0 || config.max_msgs_per_subject > 0) return {};
  const { maxMessagesPerSubject: _, ...ofStream } = stream;
  return limitsOf(stream.limitsSubjectsFromTheStart === true ? ofStream : stream);
}

/** @returns false where another process did it first */
async function add(manager: JetStreamManager, stream: StreamDefinition, changeable: Partial<StreamConfig>): Promise<boolean> {
  try {
    await manager.streams.add({
      name: stream.name,
      storage: StorageType.File,
      retention: stream.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
      num_replicas: 1,
      max_age: nanos(stream.maxAgeMs ?? 0),
      duplicate_window: nanos(stream.duplicateWindowMs),
      ...limitsOf(stream),
      ...(stream.sequenceOrdersWrites && { first_seq: sequenceFromNow() }),
      ...changeable,
    });
    return true;
  } catch (caught) {
    if (!(caught instanceof JetStreamApiError) || caught.code !== NAME_IN_USE) throw caught;
    return false;
  }
}
