import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { PROVISIONING_LOCK, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { StreamManager, When } from './ensure-stream.js';
import { serverCodes } from './server-codes.js';

/** After this time without a write, the server takes the lock from a process, which has probably died. */
const FORGOTTEN_AFTER_MS = 15_000;
/** A start is retried, and must not delay the shutdown of its process. */
const LONGEST_WAIT_MS: Readonly<Record<When, number>> = { start: 10_000, upgrade: 60_000 };
const LONGEST_PAUSE_MS = 50;

/**
 * Changes streams under a lock: a process that reads a stream configuration and then writes it would undo concurrent changes of another one. The
 * server has no compare-and-set for streams, but it creates a consumer with a given name only once.
 * @param work gets the streams API; each of its writes first checks and extends the lock
 * @param forgottenAfterMs for how long the lock is held without a write, in milliseconds
 * @throws AppError `unavailable` if others hold the lock for 10 s, or for a minute with an upgrade, or if it was lost between two writes
 * @throws JetStreamApiError if there is no event stream
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
    // If the release fails, the server removes the lock after a while.
    await lock.release().catch(() => undefined);
  }
}

interface Lock {
  /** @throws AppError `unavailable` if it is no longer held */
  confirm(): Promise<void>;
  /** Does nothing if another process holds the lock by now. */
  release(): Promise<void>;
}

/** A process that was suspended, or waited for the server, for longer than it may hold the lock must not write what it has decided before. */
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
    // With as many replicas as its stream: if it were on one server only and that is lost, nobody could take the lock from a dead process.
    durable_name: PROVISIONING_LOCK,
    // An identical request would succeed twice.
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
    await manager.consumers.add(streams.events.name, config);
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
      // A change of this value makes the server start counting again.
      await consumers.update(streams.events.name, PROVISIONING_LOCK, { inactive_threshold: nanos(forgottenAfterMs + (renewals % 2)) });
    },
    async release() {
      if (await isHeld()) await consumers.delete(streams.events.name, PROVISIONING_LOCK);
    },
  };
}

async function holderOf(consumers: JetStreamManager['consumers']): Promise<string | undefined> {
  try {
    return (await consumers.info(streams.events.name, PROVISIONING_LOCK)).config.description;
  } catch (caught) {
    if (caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.ConsumerNotFound) return undefined;
    throw caught;
  }
}
