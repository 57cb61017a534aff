import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Subscription } from '@stechuhr/contracts';
import type { Stage } from '../stage.js';

/** Removes consumers of the platform, which creates them again: they have read nothing then. */
export async function removeConsumers({ infra }: Stage, lines: readonly Pick<Subscription, 'stream' | 'durable'>[]): Promise<void> {
  const connection = await connect({ servers: infra.natsUrl.split(',') });
  try {
    const manager = await jetstreamManager(connection);
    for (const { stream, durable } of lines) await manager.consumers.delete(stream, durable);
  } finally {
    await connection.close();
  }
}
