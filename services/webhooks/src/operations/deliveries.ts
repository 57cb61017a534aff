import { deliveryStates, judgeBody, ListParameters, listOrders, readJson, replayBody } from '@stechuhr/contracts';
import { AppError, dateTimeProblems, type Page, type PageRequest } from '@stechuhr/kernel';
import { parseLocalDateTime } from '@stechuhr/worktime';
import { isRemovedByAge, MAX_REPLAYED, replayed, type Delivery } from '../domain/delivery.js';
import { TEST_EVENT, type Webhook } from '../domain/webhook.js';
import { getWebhook, noSuchWebhook, type WebhookInput } from './manage-webhooks.js';
import type { ListedDelivery, Ports, Replay, Replayed, Tenant, WebhookKey } from './ports.js';
import { recordEvent } from './record-event.js';

const MAX_TRIES = 20;
/** When replayed deliveries are sent at the latest, even if this process is killed before it wakes their webhook. */
const WOKEN_MS = 60_000;

export interface ListInput extends PageRequest {
  readonly id: string;
  /** The query parameters as the client sent them. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns a page of the deliveries of a webhook, by default the newest first. @throws AppError `not_found`; `invalid` */
export async function listDeliveries(ports: Ports, tenant: Tenant, { id, parameters, ...page }: ListInput): Promise<Page<ListedDelivery>> {
  const webhook = await getWebhook(ports, tenant, id);
  const given = new ListParameters(parameters);
  const states = given.choices('states', deliveryStates);
  const [order] = given.order(listOrders.deliveries);
  given.throwIfAny();
  return ports.deliveries.list(keyOf(webhook), { states, oldestFirst: order?.descending === false, ...page });
}

/** Makes the delivery of an event due again. @throws AppError `not_found`; `invalid` if the webhook is disabled */
export async function replayDelivery(
  ports: Ports,
  tenant: Tenant,
  ids: { readonly id: string; readonly eventId: string },
): Promise<Delivery> {
  const { deliveries, webhooks, clock, wakeSender } = ports;
  const webhook = await enabledWebhook(ports, tenant, ids.id);
  await wakeSoon(ports, webhook);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await deliveries.find(keyOf(webhook), ids.eventId);
    if (before === undefined) throw noSuchWebhook();
    const change = replayed(clock.now());
    if (!(await deliveries.save(before, change))) continue;
    await webhooks.wakeAtOnce(webhook);
    wakeSender();
    return { ...before, ...change };
  }
  throw new AppError('unavailable', 'The delivery is changing too fast.');
}

interface ReplayInput extends WebhookInput {
  /** The instant in seconds since 1970, instead of the local time of the body. */
  readonly since?: number | undefined;
}

/**
 * Makes the deliveries since an instant due again, oldest first and at most `MAX_REPLAYED` per call; by default those that died.
 *
 * @throws AppError `not_found`; `invalid`
 */
export async function replayDeliveries(ports: Ports, tenant: Tenant, { id, json, since }: ReplayInput): Promise<Replayed> {
  const webhook = await getWebhook(ports, tenant, id);
  const judged = await judgeReplay(ports, webhook, readJson(json));
  const wanted = { ...judged, ...(since !== undefined && { since: since * 1000 }), limit: MAX_REPLAYED };
  assertEnabled(webhook);
  await wakeSoon(ports, webhook);
  const replayed = await ports.deliveries.replay(keyOf(webhook), wanted);
  if (replayed.count > 0) await ports.webhooks.wakeAtOnce(webhook);
  ports.wakeSender();
  return replayed;
}

/** Called before deliveries become due: afterwards nothing would look for them after a crash, not even a repeated replay, which finds none that died. */
async function wakeSoon({ webhooks, clock }: Ports, webhook: Webhook): Promise<void> {
  await webhooks.wake(webhook, clock.now() + WOKEN_MS);
}

/** Validates the body of a replay. @throws AppError `invalid` with all problems */
async function judgeReplay({ deliveries, clock }: Ports, webhook: Webhook, body: unknown): Promise<Omit<Replay, 'limit'>> {
  const { values, errors } = judgeBody(replayBody, body);
  const since = values.since === undefined ? undefined : parseLocalDateTime(values.since);
  const after = values.after ? await deliveries.find(keyOf(webhook), values.after) : undefined;
  // A call continues from the beginning after an event that was removed: all that came before it was removed with it.
  const isUnknown = values.after && after === undefined && !isRemovedByAge(values.after, clock.now());
  const problems = {
    ...errors,
    ...(since !== undefined && since.kind !== 'ok' && { since: [dateTimeProblems[since.kind]] }),
    ...(isUnknown && { after: [`Invalid pk "${values.after}" - object does not exist.`] }),
  };
  if (since?.kind !== 'ok' || Object.keys(problems).length > 0) throw AppError.invalid(problems);
  return { since: since.instant * 1000, states: values.states ?? [], after };
}

/** Sends a test event only to this webhook, even if it is disabled. @throws AppError `not_found` */
export async function testWebhook(ports: Ports, tenant: Tenant, id: string): Promise<Delivery> {
  const webhook = await getWebhook(ports, tenant, id);
  const event = ports.event(TEST_EVENT, webhook);
  if (!(await ports.webhooks.announce(webhook, event))) throw noSuchWebhook();
  ports.notifyOutbox();
  const { traceparent, time, data } = event;
  const platformEvent = { id: event.id, institutionId: webhook.institutionId, type: TEST_EVENT, time, traceparent, data };
  // Recorded immediately, so that the list of deliveries contains it when this call returns. The event from the bus refers to the same
  // delivery.
  await recordEvent(ports, platformEvent);
  await ports.webhooks.wakeAtOnce(webhook);
  ports.wakeSender();
  const delivery = await ports.deliveries.find(keyOf(webhook), event.id);
  if (delivery === undefined) throw noSuchWebhook();
  return delivery;
}

async function enabledWebhook(ports: Ports, tenant: Tenant, id: string): Promise<Webhook> {
  const webhook = await getWebhook(ports, tenant, id);
  assertEnabled(webhook);
  return webhook;
}

function assertEnabled({ enabled }: Webhook): void {
  if (!enabled) throw AppError.invalid({ non_field_errors: ['The webhook is disabled. Enable it first.'] });
}

function keyOf({ id, institutionId }: Webhook): WebhookKey {
  return { webhookId: id, institutionId };
}
