import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Subscription } from '@stechuhr/contracts';
import type { Stage } from '../stage.js';

/** Asks JetStream itself, past the platform. */
export async function withManager<T>({ infra }: Stage, ask: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: infra.natsUrl.split(',') });
  try {
    return await ask(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

/** Removes consumers of the platform, which creates them again: they have read nothing then. */
export function removeConsumers(stage: Stage, lines: readonly Pick<Subscription, 'stream' | 'durable'>[]): Promise<void> {
  return withManager(stage, async (manager) => {
    for (const { stream, durable } of lines) await manager.consumers.delete(stream, durable);
  });
}
