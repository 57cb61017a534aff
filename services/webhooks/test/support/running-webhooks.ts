import { createEvent, connectBus, subjectOf, type Bus } from '@stechuhr/bus';
import { commonV1, webhooksV1, type CloudEvent, type EventType } from '@stechuhr/contracts';
import { newId, type Clock } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, createLogger } from '@stechuhr/service';
import { startWebhookReceiver, testServers, type TestServers, type WebhookReceiver } from '@stechuhr/testing';
import { readConfig } from '../../src/config.js';
import type { Overrides } from '../../src/context.js';
import { createWebhooksService } from '../../src/service.js';

type Client = webhooksV1.WebhooksServiceClient;
type Webhook = webhooksV1.Webhook;
type Delivery = webhooksV1.Delivery;

/** The service on real servers, with a receiver of webhooks. */
export interface RunningWebhooks {
  readonly servers: TestServers;
  readonly receiver: WebhookReceiver;
  /** The environment of a separate process on the same servers. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the time of the service, in milliseconds since the epoch. Its clock stands still, so that no pause or lease ends by itself on a slow machine. */
  now(): number;
  /** Advances the clock. A lease that ends meanwhile lets a second turn begin beside the first one. */
  advance(milliseconds: number): void;
  /** Publishes an event as another service does, with its clock. */
  publish(institutionId: string, type: EventType, data: CloudEvent['data'], by?: Clock): Promise<CloudEvent>;
  /** Publishes the same event again. */
  publishAgain(event: CloudEvent): Promise<void>;
  as(caller: commonV1.Caller): CallerWebhooks;
  stop(): Promise<void>;
}

/** The calls of one caller. */
export interface CallerWebhooks {
  list(page?: { limit: number; offset: number }): Promise<webhooksV1.ListWebhooksResponse>;
  get(webhookId: string): Promise<Webhook>;
  create(body: object): Promise<{ readonly webhook: Webhook; readonly secret: string }>;
  update(webhookId: string, body: object): Promise<Webhook>;
  delete(webhookId: string): Promise<void>;
  rotate(webhookId: string): Promise<string>;
  test(webhookId: string): Promise<Delivery>;
  deliveries(webhookId: string, parameters?: Record<string, string>, page?: { limit: number; offset: number }): Promise<Delivery[]>;
  replay(webhookId: string, deliveryId: string): Promise<Delivery>;
  replaySince(webhookId: string, body: object, since?: number): Promise<webhooksV1.ReplayDeliveriesResponse>;
}

const quiet = createLogger('test', 'fatal');

export async function startWebhooks(env: Readonly<Record<string, string>> = {}, overrides: Overrides = {}): Promise<RunningWebhooks> {
  const [servers, receiver] = await Promise.all([testServers(), startWebhookReceiver()]);
  const environment = {
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: servers.database('webhooks'),
    NATS_URL: servers.natsUrl,
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
    WEBHOOK_CA_FILE: receiver.caFile,
    ...env,
  };
  let now = Date.now();
  const clock = { now: () => now };
  const service = await createWebhooksService(readConfig(environment), quiet, { clock, sweepMs: 100, ...overrides });
  const bus = await connectBus({ servers: servers.natsUrl, name: 'test', logger: quiet });
  const address = `127.0.0.1:${String(service.grpcPort)}`;
  const client = createGrpcClient(webhooksV1.WebhooksServiceClient, address);
  return {
    servers,
    receiver,
    environment,
    now: clock.now,
    advance: (milliseconds) => void (now += milliseconds),
    async publish(institutionId, type, data, by = clock) {
      const event = createEvent({ type, institutionId, data, clock: by });
      await send(bus, event, event.id);
      return event;
    },
    // With a new message id, as after the two minutes in which the server recognises duplicates.
    publishAgain: (event) => send(bus, event, newId()),
    as: (caller) => callerWebhooks(client, caller),
    async stop() {
      client.close();
      await bus.close();
      await service.stop();
      await Promise.all([servers.stop(), receiver.stop()]);
    },
  };
}

function send(bus: Bus, event: CloudEvent, msgId: string): Promise<void> {
  return bus.publish(subjectOf(event), JSON.stringify(event), { msgId });
}

/** Returns a caller of an institution. */
export function callerOf(institutionId: string, role: commonV1.Role = commonV1.Role.ROLE_ADMIN): commonV1.Caller {
  return { institutionId, accountId: newId(), visibility: { role, departmentIds: [], projects: undefined } };
}

/** Returns a client for an address. */
export function clientOf(address: string, caller: commonV1.Caller): CallerWebhooks & { close(): void } {
  const client = createGrpcClient(webhooksV1.WebhooksServiceClient, address);
  return { ...callerWebhooks(client, caller), close: () => client.close() };
}

function callerWebhooks(client: Client, caller: commonV1.Caller): CallerWebhooks {
  return {
    list: (page = { limit: 100, offset: 0 }) => callUnary(client, client.listWebhooks, { caller, ...page }),
    get: async (webhookId) => present((await callUnary(client, client.getWebhook, { caller, webhookId })).webhook),
    async create(body) {
      const { webhook, secret } = await callUnary(client, client.createWebhook, { caller, json: JSON.stringify(body) });
      return { webhook: present(webhook), secret };
    },
    update: async (webhookId, body) =>
      present((await callUnary(client, client.updateWebhook, { caller, webhookId, json: JSON.stringify(body) })).webhook),
    async delete(webhookId) {
      await callUnary(client, client.deleteWebhook, { caller, webhookId });
    },
    rotate: async (webhookId) => (await callUnary(client, client.rotateSecret, { caller, webhookId })).secret,
    test: async (webhookId) => present((await callUnary(client, client.testWebhook, { caller, webhookId })).delivery),
    deliveries: async (webhookId, parameters = {}, page = { limit: 100, offset: 0 }) =>
      (await callUnary(client, client.listDeliveries, { caller, webhookId, parameters, ...page })).deliveries,
    replay: async (webhookId, deliveryId) =>
      present((await callUnary(client, client.replayDelivery, { caller, webhookId, deliveryId })).delivery),
    replaySince: (webhookId, body, since) =>
      callUnary(client, client.replayDeliveries, { caller, webhookId, json: JSON.stringify(body), since }, { deadlineMs: 60_000 }),
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The answer is incomplete.');
  return value;
}
