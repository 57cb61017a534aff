import { ListParameters, type webhooksV1 } from '@stechuhr/contracts';
import { isUuid, pageOf } from '@stechuhr/kernel';
import { ask } from '../clients/services.js';
import { pageAnswer } from '../http/links.js';
import { readJsonBody, readJudgedBody } from '../middleware/json-body.js';
import { present } from '../openapi/shape.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';
import { deliveryJson, webhookJson } from './webhook-json.js';

interface Dependencies {
  readonly webhooks: webhooksV1.WebhooksServiceClient;
}

const GROUP = 'webhooks';
const LIST_PATH = `${BASE_PATH}${GROUP}/`;

export function webhookRoutes(dependencies: Dependencies): CallerRoute[] {
  const common = { authenticated: true, matches: isAddressed } as const;
  const view = operationOf(dependencies, 'webhooks:view');
  const edit = operationOf(dependencies, 'webhooks:edit');
  return [
    {
      path: LIST_PATH,
      name: 'Webhooks',
      description: 'Webhooks to which events of the institution are sent.',
      authenticated: true,
      group: GROUP,
      operations: { GET: view(listWebhooks), POST: edit(createWebhook) },
    },
    {
      ...common,
      path: `${LIST_PATH}:id/`,
      name: 'Webhook',
      description: 'One webhook.',
      operations: { GET: view(answerWebhook), PATCH: edit(updateWebhook), DELETE: edit(deleteWebhook) },
    },
    { ...common, path: `${LIST_PATH}:id/secret/`, name: 'Secret', description: 'A new secret.', operations: { POST: edit(rotateSecret) } },
    {
      ...common,
      path: `${LIST_PATH}:id/test/`,
      name: 'Test',
      description: 'Sends a test event to a webhook.',
      operations: { POST: edit(testWebhook) },
    },
    {
      ...common,
      path: `${LIST_PATH}:id/replay/`,
      name: 'Replay',
      description: 'Sends the events since a time again.',
      operations: { POST: edit(replayDeliveries) },
    },
    {
      ...common,
      path: `${LIST_PATH}:id/deliveries/`,
      name: 'Deliveries',
      description: 'Deliveries of events to a webhook, including pending ones.',
      operations: { GET: view(listDeliveries) },
    },
    {
      ...common,
      path: `${LIST_PATH}:id/deliveries/:delivery/replay/`,
      name: 'Replay of a delivery',
      description: 'Sends one event again.',
      operations: { POST: edit(replayDelivery) },
    },
  ];
}

type Handler = (dependencies: Dependencies, exchange: CallerExchange) => Promise<void>;

function operationOf(dependencies: Dependencies, strictScope: 'webhooks:view' | 'webhooks:edit') {
  return (handle: Handler) => ({ strictScope, jsonOnly: true, handle: (exchange: CallerExchange) => handle(dependencies, exchange) });
}

function isAddressed(segments: Readonly<Record<string, string | string[] | undefined>>): boolean {
  return Object.values(segments).every((segment) => typeof segment === 'string' && isUuid(segment));
}

async function listWebhooks({ webhooks }: Dependencies, { answer, signal, principal, query, publicBase }: CallerExchange): Promise<void> {
  const page = pageOf(query.limit, query.offset);
  const found = await ask(webhooks, webhooks.listWebhooks, { caller: principal.caller, ...page }, { signal, idempotent: true });
  // After the call, because the service checks whether the caller may see webhooks.
  const parameters = new ListParameters(query);
  parameters.order([]);
  parameters.throwIfAny();
  const results = found.webhooks.map(webhookJson);
  return answer(pageAnswer(`${publicBase}${LIST_PATH}`, query, { ...page, count: found.count, results }));
}

async function createWebhook({ webhooks }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const message = { caller: principal.caller, json: await readJsonBody(exchange) };
  return answer(withSecret(await ask(webhooks, webhooks.createWebhook, message, { signal })), 201);
}

async function answerWebhook(dependencies: Dependencies, exchange: CallerExchange): Promise<void> {
  return exchange.answer(webhookJson(await findWebhook(dependencies, exchange)));
}

/** Updates a webhook. Its existence is checked before the body. */
async function updateWebhook(dependencies: Dependencies, exchange: CallerExchange): Promise<void> {
  const { webhooks } = dependencies;
  const json = await readJudgedBody(exchange, () => findWebhook(dependencies, exchange));
  const { webhook } = await ask(webhooks, webhooks.updateWebhook, { ...keyOf(exchange), json }, { signal: exchange.signal });
  return exchange.answer(webhookJson(present(webhook, 'webhook')));
}

async function deleteWebhook({ webhooks }: Dependencies, exchange: CallerExchange): Promise<void> {
  await ask(webhooks, webhooks.deleteWebhook, keyOf(exchange), { signal: exchange.signal });
  exchange.response.status(204).end();
}

async function rotateSecret({ webhooks }: Dependencies, exchange: CallerExchange): Promise<void> {
  return exchange.answer(withSecret(await ask(webhooks, webhooks.rotateSecret, keyOf(exchange), { signal: exchange.signal })));
}

async function testWebhook({ webhooks }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { delivery } = await ask(webhooks, webhooks.testWebhook, keyOf(exchange), { signal: exchange.signal });
  return exchange.answer(deliveryJson(present(delivery, 'delivery')), 202);
}

async function replayDeliveries(dependencies: Dependencies, exchange: CallerExchange): Promise<void> {
  const { webhooks } = dependencies;
  const json = await readJudgedBody(exchange, () => findWebhook(dependencies, exchange));
  const { replayed, next } = await ask(webhooks, webhooks.replayDeliveries, { ...keyOf(exchange), json }, { signal: exchange.signal });
  return exchange.answer({ replayed, next: next ?? null });
}

async function listDeliveries({ webhooks }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, query, publicBase } = exchange;
  const page = pageOf(query.limit, query.offset);
  const message = { ...keyOf(exchange), parameters: query, ...page };
  const { count, deliveries } = await ask(webhooks, webhooks.listDeliveries, message, { signal, idempotent: true });
  const address = `${publicBase}${LIST_PATH}${message.webhookId}/deliveries/`;
  return answer(pageAnswer(address, query, { ...page, count, results: deliveries.map(deliveryJson) }));
}

async function replayDelivery({ webhooks }: Dependencies, exchange: CallerExchange): Promise<void> {
  const message = { ...keyOf(exchange), deliveryId: String(exchange.request.params.delivery).toLowerCase() };
  const { delivery } = await ask(webhooks, webhooks.replayDelivery, message, { signal: exchange.signal });
  return exchange.answer(deliveryJson(present(delivery, 'delivery')), 202);
}

async function findWebhook({ webhooks }: Dependencies, exchange: CallerExchange): Promise<webhooksV1.Webhook> {
  const { webhook } = await ask(webhooks, webhooks.getWebhook, keyOf(exchange), { signal: exchange.signal, idempotent: true });
  return present(webhook, 'webhook');
}

function keyOf({ request, principal }: CallerExchange) {
  return { caller: principal.caller, webhookId: String(request.params.id).toLowerCase() };
}

function withSecret({ webhook, secret }: { readonly webhook?: webhooksV1.Webhook | undefined; readonly secret: string }): object {
  const { id, ...fields } = webhookJson(present(webhook, 'webhook'));
  return { id, secret, ...fields };
}
