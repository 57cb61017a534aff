import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { eventStream, PROVISIONING_LOCK, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { StreamManager, When } from './ensure-stream.js';
import { serverCodes } from './server-codes.js';

/** The server then takes the lock from a process that has died, or that has written nothing for as long. */
const FORGOTTEN_AFTER_MS = 15_000;
/** A start is tried again, and must not hold up the end of its process. */
const LONGEST_WAIT_MS: Readonly<Record<When, number>> = { start: 10_000, upgrade: 60_000 };
const LONGEST_PAUSE_MS = 50;

/**
 * Does something to the streams while no other process does: who reads the configuration of a stream, and then writes it, would undo what
 * another one has written in between. The server has no compare-and-set for streams, but creates a consumer of a name only once.
 *
 * @param work gets the streams; before each of its writes the lock is looked at, and held for longer
 * @param forgottenAfterMs how long the lock is held without a write, in milliseconds
 * @throws AppError `unavailable` when others hold the lock for 10 s, with an upgrade for a minute, or when it was lost between two writes
 * @throws JetStreamApiError when there is no stream of events
 */
export async function alone<T>(
  manager: JetStreamManager,
  when: When,
  work: (held: StreamManager) => Promise<T>,
  forgottenAfterMs = FORGOTTEN_AFTER_MS,
): Promise<T> {
  const lock = await take(manager, LONGEST_WAIT_MS[when], forgottenAfterMs);
  try {
    return await work(confirming(manager, lock));
  } finally {
    // What cannot be released, the server forgets.
    await lock.release().catch(() => undefined);
  }
}

interface Lock {
  /** @throws AppError `unavailable` when it is no longer held */
  confirm(): Promise<void>;
  /** Leaves alone what another process holds by now. */
  release(): Promise<void>;
}

/** A process that stood still, or waited for the server, for longer than it may hold the lock must not write what it has decided before. */
function confirming({ streams: api }: JetStreamManager, lock: Lock): StreamManager {
  const confirmed = async <R>(write: () => Promise<R>): Promise<R> => {
    await lock.confirm();
    return write();
  };
  return {
    streams: {
      info: (name) => api.info(name),
      add: (config) => confirmed(() => api.add(config)),
      update: (name, config) => confirmed(() => api.update(name, config)),
    },
  };
}

async function take(manager: JetStreamManager, longestMs: number, forgottenAfterMs: number): Promise<Lock> {
  const config = {
    // With as many copies as its stream: where the only server of one is lost, nobody would take the lock from the dead.
    durable_name: PROVISIONING_LOCK,
    // The same request twice would be granted twice.
    description: randomUUID(),
    filter_subject: streams.events.subjects[0],
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.New,
    inactive_threshold: nanos(forgottenAfterMs),
    mem_storage: true,
  };
  const deadline = performance.now() + longestMs;
  while (!(await isGranted(manager, config))) {
    if (performance.now() > deadline)
      throw new AppError('unavailable', `Other processes have been preparing the streams for ${String(longestMs / 1_000)} s.`);
    await delay(Math.random() * LONGEST_PAUSE_MS);
  }
  return lockOf(manager, config.description, forgottenAfterMs);
}

async function isGranted(manager: JetStreamManager, config: Parameters<JetStreamManager['consumers']['add']>[1]): Promise<boolean> {
  try {
    await manager.consumers.add(eventStream(0), config);
    return true;
  } catch (caught) {
    if (caught instanceof JetStreamApiError && caught.code === serverCodes.consumerExists) return false;
    throw caught;
  }
}

function lockOf({ consumers }: JetStreamManager, holder: string, forgottenAfterMs: number): Lock {
  let renewedAt = performance.now();
  let renewals = 0;
  const isHeld = async () => (await holderOf(consumers)) === holder;
  return {
    async confirm() {
      if (!(await isHeld())) throw new AppError('unavailable', 'Preparing the streams took too long; other processes may do it by now.');
      if (performance.now() - renewedAt < forgottenAfterMs / 3) return;
      renewedAt = performance.now();
      renewals += 1;
      // The server begins to count again when this changes, and only then.
      await consumers.update(eventStream(0), PROVISIONING_LOCK, { inactive_threshold: nanos(forgottenAfterMs + (renewals % 2)) });
    },
    async release() {
      if (await isHeld()) await consumers.delete(eventStream(0), PROVISIONING_LOCK);
    },
  };
}

async function holderOf(consumers: JetStreamManager['consumers']): Promise<string | undefined> {
  try {
    return (await consumers.info(eventStream(0), PROVISIONING_LOCK)).config.description;
  } catch (caught) {
    if (caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.ConsumerNotFound) return undefined;
    throw caught;
  }
}
