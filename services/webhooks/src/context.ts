import { withinTrace, type Bus } from '@stechuhr/bus';
import { ANSWERS, createFairLimiter, systemClock, type Clock, type FairLimiter, type Inspection } from '@stechuhr/kernel';
import { defineStores, removalCollection, repeatedRemovals } from '@stechuhr/mongo';
import type { Logger } from '@stechuhr/service';
import { createTargets } from './clients/target.js';
import type { Config } from './config.js';
import { webhookEvents } from './events/webhook-events.js';
import { observeLate } from './metrics.js';
import { overdueWebhooks } from './operations/inspections.js';
import type { Ports } from './operations/ports.js';
import { startSender } from './sender.js';
import { deliveryModel } from './store/delivery-model.js';
import { createDeliveryStore } from './store/delivery-store.js';
import { webhookModel } from './store/webhook-model.js';
import { createWebhookStore } from './store/webhook-store.js';

export interface Context {
  readonly ports: Ports;
  /** Limits lists and replays of deliveries, fairly between institutions. */
  readonly inTurn: FairLimiter;
  readonly bus: Bus;
  readonly inspections: readonly Inspection[];
  readonly checks: Readonly<Record<'mongodb' | 'nats', () => Promise<void>>>;
  close(): Promise<void>;
}

export interface Overrides {
  readonly clock?: Clock;
  /** Timeout of a request to a target, in milliseconds. */
  readonly timeoutMs?: number;
  /** Interval of the search for due deliveries, in milliseconds. */
  readonly sweepMs?: number;
}

const storage = defineStores({
  name: 'webhooks',
  models: ({ connection }) => ({
    webhooks: webhookModel(connection),
    deliveries: deliveryModel(connection),
    removals: removalCollection(connection),
  }),
  outboxes: ({ webhooks }) => [webhooks.collection],
});

/** Creates the indexes and streams that this version needs, without starting the service. */
export const { prepare } = storage;

export async function createContext(
  config: Config,
  logger: Logger,
  { clock = systemClock, timeoutMs, sweepMs }: Overrides = {},
): Promise<Context> {
  const stores = await storage.connect(config, logger);
  const { bus, models } = stores;
  const ports: Ports = {
    webhooks: createWebhookStore({ model: models.webhooks, clock, leaseMs: config.leaseMs }),
    deliveries: createDeliveryStore(models.deliveries, clock),
    removals: repeatedRemovals(models.removals, clock),
    send: createTargets({ ...config.targets, timeoutMs }),
    inTrace: withinTrace,
    clock,
    eventClock: () => bus.eventClock(),
    allowedHosts: config.targets.allowedHosts,
    inRequestSlot: createFairLimiter(config.requests),
    event: webhookEvents(clock, stores),
    notifyOutbox: () => stores.relay.notify(),
    wakeSender: () => sender.wake(),
  };
  const sender = startSender(ports, logger, sweepMs);
  const unobserve = observeLate(ports);
  return {
    ports,
    inTurn: createFairLimiter(ANSWERS),
    bus,
    inspections: [...stores.inspections, overdueWebhooks(ports)],
    checks: stores.checks,
    async close() {
      unobserve();
      await sender.stop();
      await stores.close();
    },
  };
}
