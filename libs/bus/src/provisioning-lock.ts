import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { eventStream, PROVISIONING_LOCK, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { serverCodes } from './server-codes.js';

/** The server then takes the lock from a process that has died. */
const FORGOTTEN_AFTER_MS = 15_000;
const LONGEST_WAIT_MS = 60_000;
const LONGEST_PAUSE_MS = 50;

/**
 * Does something to the streams while no other process does: who reads the configuration of a stream, and then writes it, would undo what
 * another one has written in between. The server has no compare-and-set for streams, but creates a consumer of a name only once.
 *
 * @throws AppError `unavailable` when others hold the lock for a minute
 * @throws JetStreamApiError when there is no stream of events
 */
export async function alone<T>(manager: JetStreamManager, work: () => Promise<T>): Promise<T> {
  await take(manager);
  try {
    return await work();
  } finally {
    // What cannot be released, the server forgets.
    await manager.consumers.delete(eventStream(0), PROVISIONING_LOCK).catch(() => false);
  }
}

async function take(manager: JetStreamManager): Promise<void> {
  const { config } = await manager.streams.info(eventStream(0));
  const lock = {
    name: PROVISIONING_LOCK,
    // The same request twice would be granted twice.
    description: randomUUID(),
    filter_subject: streams.events.subjects[0],
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.New,
    inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
    // Where the only server of its copy is lost, nobody would take the lock from the dead.
    num_replicas: config.num_replicas,
    mem_storage: true,
  };
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (!(await isMine(manager, lock))) {
    if (performance.now() > deadline) throw new AppError('unavailable', 'Other processes have been preparing the streams for a minute.');
    await delay(Math.random() * LONGEST_PAUSE_MS);
  }
}

async function isMine(manager: JetStreamManager, lock: Parameters<JetStreamManager['consumers']['add']>[1]): Promise<boolean> {
  try {
    await manager.consumers.add(eventStream(0), lock);
    return true;
  } catch (caught) {
    if (caught instanceof JetStreamApiError && caught.code === serverCodes.consumerExists) return false;
    throw caught;
  }
}
