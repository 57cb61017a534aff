import { activeTraceparent, type Bus } from '@stechuhr/bus';
import { ANSWERS, createAnswerTurns, systemClock, type AnswerTurns, type Clock, type Inspection } from '@stechuhr/kernel';
import { defineStores } from '@stechuhr/mongo';
import type { Logger } from '@stechuhr/service';
import { startAgenda, watchDatabase } from './agenda.js';
import { createFiles } from './clients/files.js';
import type { Config } from './config.js';
import { createJobQueue } from './events/job-queue.js';
import { taskEvents } from './events/task-events.js';
import { countFacts, observeOldest } from './metrics.js';
import { taskInspections } from './operations/inspections.js';
import type { Ports } from './operations/ports.js';
import { taskModel } from './store/task-model.js';
import { createTaskStore } from './store/task-store.js';

export interface Context {
  readonly ports: Ports;
  /** Pages of lists: a task names the employees whom its file leaves out, up to 4 MiB of them. */
  readonly inTurn: AnswerTurns;
  readonly bus: Bus;
  readonly inspections: readonly Inspection[];
  readonly checks: Readonly<Record<'mongodb' | 'nats', () => Promise<void>>>;
  close(): Promise<void>;
}

const storage = defineStores({
  name: 'tasks',
  models: ({ connection }) => taskModel(connection),
  outboxes: (tasks) => [tasks.collection],
});

/** Creates the indexes and streams that this version needs, without starting the service. */
export const { prepare } = storage;

export async function createContext(config: Config, logger: Logger, clock: Clock = systemClock): Promise<Context> {
  const stores = await storage.connect(config, logger);
  const database = watchDatabase(clock);
  const ports: Ports = {
    tasks: createTaskStore({ model: stores.models, toEvents: taskEvents(clock, stores), clock, due: (task) => agenda.take(task) }),
    files: createFiles(config),
    jobs: createJobQueue(stores.bus, clock),
    clock,
    leaseMs: config.leaseMs,
    logger,
    reachableSince: database.reachableSince,
    jobsPerInstitution: config.jobsPerInstitution,
    traceparent: activeTraceparent,
    changed(task, facts) {
      countFacts(task, facts);
      stores.relay.notify();
    },
  };
  const agenda = startAgenda(ports, stores.claims, { database, logger });
  const unobserve = observeOldest(ports);
  return {
    ports,
    inTurn: createAnswerTurns(ANSWERS),
    bus: stores.bus,
    inspections: [...stores.inspections, ...taskInspections(ports)],
    checks: stores.checks,
    async close() {
      unobserve();
      await agenda.stop();
      await stores.close();
    },
  };
}
