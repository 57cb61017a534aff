import { requireCaller, requireInstant, requirePage, roleName, type commonV1, type webhooksV1 } from '@stechuhr/contracts';
import { AppError, parseUuid, PATIENCE_MS } from '@stechuhr/kernel';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { listDeliveries, replayDeliveries, replayDelivery, testWebhook } from '../operations/deliveries.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  noSuchWebhook,
  rotateSecret,
  updateWebhook,
} from '../operations/manage-webhooks.js';
import type { Tenant } from '../operations/ports.js';
import { deliveryToProto, webhookToProto } from './to-proto.js';

/** Returns the handlers of the service. Each one decodes the request, runs its operation and encodes the response. */
export function handlersOf({ ports, inTurn }: Pick<Context, 'ports' | 'inTurn'>): webhooksV1.WebhooksServiceServer {
  return {
    listWebhooks: unary(async ({ caller, ...page }) => {
      const { count, results } = await listWebhooks(ports, toTenant(caller), requirePage(page));
      return { count, webhooks: results.map(webhookToProto) };
    }),
    getWebhook: unary(async ({ caller, webhookId }) => ({
      webhook: webhookToProto(await getWebhook(ports, toTenant(caller), toId(webhookId))),
    })),
    createWebhook: unary(async ({ caller, json }) => {
      const webhook = await createWebhook(ports, toTenant(caller), json);
      return { webhook: webhookToProto(webhook), secret: webhook.secret };
    }),
    updateWebhook: unary(async ({ caller, webhookId, json }) => ({
      webhook: webhookToProto(await updateWebhook(ports, toTenant(caller), { id: toId(webhookId), json })),
    })),
    deleteWebhook: unary(async ({ caller, webhookId }) => {
      await deleteWebhook(ports, toTenant(caller), toId(webhookId));
      return {};
    }),
    rotateSecret: unary(async ({ caller, webhookId }) => {
      const webhook = await rotateSecret(ports, toTenant(caller), toId(webhookId));
      return { webhook: webhookToProto(webhook), secret: webhook.secret };
    }),
    testWebhook: unary(async ({ caller, webhookId }) => ({
      delivery: deliveryToProto(await testWebhook(ports, toTenant(caller), toId(webhookId))),
    })),
    listDeliveries: unary(
      async ({ caller, webhookId, ...query }, { signal }) => {
        const tenant = toTenant(caller);
        const input = { id: toId(webhookId), ...requirePage(query) };
        const { count, results } = await inTurn(tenant.institutionId, () => listDeliveries(ports, tenant, input), {
          signal,
          patienceMs: PATIENCE_MS,
        });
        return { count, deliveries: results.map(deliveryToProto) };
      },
      { atOnce: true },
    ),
    replayDelivery: unary(async ({ caller, webhookId, deliveryId }) => ({
      delivery: deliveryToProto(await replayDelivery(ports, toTenant(caller), { id: toId(webhookId), eventId: toId(deliveryId) })),
    })),
    replayDeliveries: unary(
      async ({ caller, webhookId, json, since }: webhooksV1.ReplayDeliveriesRequest, { signal }) => {
        const tenant = toTenant(caller);
        const input = { id: toId(webhookId), json, since: since === undefined ? undefined : requireInstant('since', since) };
        const { count, next } = await inTurn(tenant.institutionId, () => replayDeliveries(ports, tenant, input), { signal });
        return { replayed: count, next };
      },
      { atOnce: true },
    ),
  };
}

/**
 * Returns the institution of the caller. @throws AppError `forbidden` unless the caller may see all records, because a webhook receives
 * events of all of them
 */
function toTenant(named: commonV1.Caller | undefined): Tenant {
  const { institutionId, visibility } = requireCaller(named);
  const seesAll = roleName(visibility.role) === 'admin' && visibility.projects === undefined;
  if (!seesAll) throw new AppError('forbidden', 'You do not have permission to perform this action.');
  return { institutionId };
}

/** @throws AppError `not_found` for a text that is not a UUID */
function toId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw noSuchWebhook();
  return id;
}
