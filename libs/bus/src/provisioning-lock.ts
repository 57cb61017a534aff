import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { eventStream, PROVISIONING_LOCK, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { When } from './ensure-stream.js';
import { serverCodes } from './server-codes.js';

/** The server then takes the lock from a process that has died. */
const FORGOTTEN_AFTER_MS = 15_000;
/** A start is tried again, and must not hold up the end of its process. */
const LONGEST_WAIT_MS: Readonly<Record<When, number>> = { start: 10_000, upgrade: 60_000 };
const LONGEST_PAUSE_MS = 50;

/**
 * Does something to the streams while no other process does: who reads the configuration of a stream, and then writes it, would undo what
 * another one has written in between. The server has no compare-and-set for streams, but creates a consumer of a name only once.
 *
 * @throws AppError `unavailable` when others hold the lock for 10 s, with an upgrade for a minute
 * @throws JetStreamApiError when there is no stream of events
 */
export async function alone<T>(manager: JetStreamManager, when: When, work: () => Promise<T>): Promise<T> {
  await take(manager, LONGEST_WAIT_MS[when]);
  try {
    return await work();
  } finally {
    // What cannot be released, the server forgets.
    await manager.consumers.delete(eventStream(0), PROVISIONING_LOCK).catch(() => false);
  }
}

async function take(manager: JetStreamManager, longestMs: number): Promise<void> {
  const lock = {
    // With as many copies as its stream: where the only server of one is lost, nobody would take the lock from the dead.
    durable_name: PROVISIONING_LOCK,
    // The same request twice would be granted twice.
    description: randomUUID(),
    filter_subject: streams.events.subjects[0],
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.New,
    inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
    mem_storage: true,
  };
  const deadline = performance.now() + longestMs;
  while (!(await isMine(manager, lock))) {
    if (performance.now() > deadline)
      throw new AppError('unavailable', `Other processes have been preparing the streams for ${String(longestMs / 1_000)} s.`);
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
