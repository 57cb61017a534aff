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

/** An upgrade also gives existing streams what the settings name; a start changes none of it. */
export type When = 'start' | 'upgrade';

/** What the preparation of streams asks the server. */
export interface StreamManager {
  readonly streams: Pick<JetStreamManager['streams'], 'info' | 'add' | 'update'>;
}

/** How a stream is to be. */
export interface WantedStream {
  readonly definition: StreamDefinition;
  /** What the settings name. */
  readonly limits: StreamLimits;
  readonly replicas: number | undefined;
  /** What it has to have whether it exists or not. */
  readonly always: Partial<StreamConfig>;
  readonly when: When;
}

/** Creates a stream, or brings it up to date; safe from several processes at once. @returns whether it was not there */
export async function ensureStream(manager: StreamManager, { definition, limits, replicas, always, when }: WantedStream): Promise<boolean> {
  const wanted = { ...definition, ...limits };
  try {
    const { config } = await manager.streams.info(definition.name);
    const upgraded = when === 'upgrade' ? namedIn(limits, replicas) : {};
    await manager.streams.update(definition.name, { ...always, ...missingLimits(config, wanted), ...upgraded });
    return false;
  } catch (caught) {
    if (!(caught instanceof JetStreamApiError) || caught.code !== JetStreamApiCodes.StreamNotFound) throw caught;
  }
  const isMine = await add(manager, wanted, { ...always, ...namedIn({}, replicas) });
  if (!isMine) await manager.streams.update(definition.name, always);
  return isMine;
}

/** Microseconds since 1970: above every sequence of a stream that took less than a million messages a second, and exact in a double. */
function sequenceFromNow(): number {
  return Date.now() * 1_000;
}

/** What settings name, and nothing else. */
function namedIn({ maxBytes, maxAgeMs }: StreamLimits, replicas: number | undefined): Partial<StreamConfig> {
  return {
    ...(maxBytes !== undefined && { max_bytes: maxBytes }),
    ...(maxAgeMs !== undefined && { max_age: nanos(maxAgeMs) }),
    ...(replicas !== undefined && { num_replicas: replicas }),
  };
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
      ...(stream.sequenceOrdersWrites && { first_seq: sequenceFromNow() }),
      ...further,
    });
    return true;
  } catch (caught) {
    if (!(caught instanceof JetStreamApiError) || caught.code !== serverCodes.streamExists) throw caught;
    return false;
  }
}
