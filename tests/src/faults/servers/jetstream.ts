import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventLayoutOf, eventStreams, ONE_PARTITION, streams } from '@stechuhr/contracts';
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

/** Returns the event streams, one for each partition that exists or has existed (ADR 36). */
export async function eventStreamsOf(manager: JetStreamManager): Promise<readonly string[]> {
  const { metadata } = (await manager.streams.info(streams.events.name)).config;
  return eventStreams(eventLayoutOf(metadata) ?? ONE_PARTITION);
}
