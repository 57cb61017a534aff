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
import type { StreamDefinition } from '@stechuhr/contracts';
import type { StreamLimits } from './config.js';
import { serverCodes } from './server-codes.js';

/** An upgrade also applies the settings to existing streams; a start does not. */
export type When = 'start' | 'upgrade';

/** The parts of the client that provisioning uses. */
export interface StreamManager {
  readonly streams: Pick<JetStreamManager['streams'], 'info' | 'add' | 'update'>;
}

/** The desired state of a stream. */
export interface WantedStream {
  readonly definition: StreamDefinition;
  /** Limits from the settings. */
  readonly limits: StreamLimits;
  readonly replicas: number | undefined;
  /** What it must have, whether it already exists or not. */
  readonly always: Partial<StreamConfig>;
  /** What it gets only if it is created. */
  readonly atCreation?: Partial<StreamConfig>;
  readonly when: When;
}

/**
 * Creates a stream or updates it; several processes may do this concurrently.
 * @returns whether it was created
 */
export async function ensureStream(manager: StreamManager, stream: WantedStream): Promise<boolean> {
  const { definition, limits, replicas, always, atCreation, when } = stream;
  const wanted = { ...definition, ...limits };
  try {
    const { config } = await manager.streams.info(definition.name);
    const upgraded = when === 'upgrade' ? namedIn(limits, replicas) : {};
    await manager.streams.update(definition.name, { ...always, ...missingLimits(config, wanted), ...upgraded });
    return false;
  } catch (caught) {
    if (!(caught instanceof JetStreamApiError) || caught.code !== JetStreamApiCodes.StreamNotFound) throw caught;
  }
  const isMine = await add(manager, wanted, { ...always, ...atCreation, ...namedIn({}, replicas) });
  if (!isMine) await manager.streams.update(definition.name, always);
  return isMine;
}

/** Only what the settings specify. */
function namedIn({ maxBytes, maxAgeMs }: StreamLimits, replicas: number | undefined): Partial<StreamConfig> {
  return {
    ...(maxBytes !== undefined && { max_bytes: maxBytes }),
    ...(maxAgeMs !== undefined && { max_age: nanos(maxAgeMs) }),
    ...(replicas !== undefined && { num_replicas: replicas }),
  };
}

/** A full work queue rejects messages, since dropping unhandled ones would lose them. */
function limitsOf({ retention, maxBytes, maxMessagesPerSubject }: StreamDefinition): Partial<StreamConfig> {
  const refuses = retention === 'workqueue';
  return {
    max_bytes: maxBytes,
    discard: refuses ? DiscardPolicy.New : DiscardPolicy.Old,
    ...(maxMessagesPerSubject !== undefined && { max_msgs_per_subject: maxMessagesPerSubject, discard_new_per_subject: refuses }),
  };
}

/** Limits for a stream that has none yet; limits that operators have set are kept. */
function missingLimits(config: StreamConfig, stream: StreamDefinition): Partial<StreamConfig> {
  if (config.max_bytes > 0 || config.max_msgs_per_subject > 0) return {};
  const { maxMessagesPerSubject: _, ...ofStream } = stream;
  return limitsOf(stream.limitsSubjectsFromTheStart === true ? ofStream : stream);
}

/** @returns false if another process has created it first */
async function add(manager: StreamManager, stream: StreamDefinition, further: Partial<StreamConfig>): Promise<boolean> {
  try {
    await manager.streams.add({
      name: stream.name,
      storage: StorageType.File,
      retention: stream.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
      num_replicas: 1,
      max_age: nanos(stream.maxAgeMs ?? 0),
      duplicate_window: nanos(stream.duplicateWindowMs),
      ...limitsOf(stream),
      ...further,
    });
    return true;
  } catch (caught) {
    if (!(caught instanceof JetStreamApiError) || caught.code !== serverCodes.streamExists) throw caught;
    return false;
  }
}
