import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { layoutOf, ONE_PARTITION, partitionedName, partitionedStreams, streams } from '@stechuhr/contracts';
import type { Stage } from '../stage.js';

/** Accesses JetStream directly, bypassing the platform. */
export async function withManager<T>({ infra }: Stage, ask: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: infra.natsUrl.split(',') });
  try {
    return await ask(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

/** Returns the streams with the messages of a stream of the catalogue, one for each partition that exists or has existed (ADR 36). */
export async function partitionsOf(manager: JetStreamManager, stream: string): Promise<readonly string[]> {
  const name = partitionedName(stream);
  if (name === undefined) return [stream];
  const { metadata } = (await manager.streams.info(stream)).config;
  return partitionedStreams[name].streams(layoutOf(metadata) ?? ONE_PARTITION);
}

/** Returns the event streams. */
export function eventStreamsOf(manager: JetStreamManager): Promise<readonly string[]> {
  return partitionsOf(manager, streams.events.name);
}
