import { activeTraceparent, connectBus, createStreams, startOutboxRelay } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import { systemClock, type Clock } from '@stechuhr/kernel';
import { connectMongo, outboxOf } from '@stechuhr/mongo';
import type { Logger } from '@stechuhr/service';
import { startAgenda } from './agenda.js';
import type { Config } from './config.js';
import { createJobQueue } from './events/job-queue.js';
import { taskEvents } from './events/task-events.js';
import { createFiles } from './files.js';
import { countFacts, observeOldest } from './metrics.js';
import type { Ports } from './operations/ports.js';
import { taskModel } from './store/task-model.js';
import { createTaskStore } from './store/task-store.js';

export interface Context {
  readonly ports: Ports;
  readonly checks: Readonly<Record<'mongodb' | 'nats', () => Promise<void>>>;
  close(): Promise<void>;
}

const OUTBOX_SWEEP_MS = 5_000;

/** The database, with the indexes of this version. */
async function openDatabase(config: Config, logger: Logger) {
  const mongo = await connectMongo({ ...config.mongodb, logger, appName: 'tasks' });
  const model = taskModel(mongo.connection);
  await mongo.ensureIndexes();
  return { mongo, model };
}

/** Creates what this version needs in its servers, and nothing else. */
export async function prepare(config: Config, logger: Logger): Promise<void> {
  const { mongo } = await openDatabase(config, logger);
  await mongo.close();
  await createStreams({ servers: config.natsUrl, name: 'tasks', logger });
}

export async function createContext(config: Config, logger: Logger, clock: Clock = systemClock): Promise<Context> {
  const { mongo, model } = await openDatabase(config, logger);
  const bus = await connectBus({ servers: config.natsUrl, name: 'tasks', logger });
  await bus.ensureStreams();
  const relay = startOutboxRelay({ stores: [outboxOf<CloudEvent>(model.collection)], bus, logger, sweepMs: OUTBOX_SWEEP_MS });
  const ports: Ports = {
    tasks: createTaskStore(model, taskEvents(clock)),
    files: createFiles(config),
    jobs: createJobQueue(bus, clock),
    clock,
    leaseMs: config.leaseMs,
    traceparent: activeTraceparent,
    changed(task, facts) {
      countFacts(task, facts);
      relay.notify();
      agenda.notify();
    },
  };
  const agenda = startAgenda(ports, logger);
  const unobserve = observeOldest(ports);
  return {
    ports,
    checks: { mongodb: () => mongo.ping(), nats: () => bus.ping() },
    async close() {
      unobserve();
      await agenda.stop();
      await relay.stop();
      await bus.close();
      await mongo.close();
    },
  };
}
