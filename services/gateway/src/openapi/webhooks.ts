import { deliveryStates, eventTypes, listOrders, replayBody, webhookBody } from '@stechuhr/contracts';
import { z } from 'zod';
import { json, type OperationDocs } from './operation-doc.js';
import { choices, described, idInPath, order, page } from './parameters.js';
import { flag, growingWord, integer, localDateTime, pageExample, pageOf, text, url, uuid, word } from './values.js';

const problems = ['status', 'redirect', 'timeout', 'unresolvable', 'address_not_public', 'tls', 'connection', 'disabled'] as const;

const fields = {
  url: url('Address to which events are sent. It must be a public https address with port 443 or a port from 1024 on.'),
  description: text('Purpose of the webhook.').nullable(),
  event_types: z
    .array(growingWord(eventTypes, 'Type of an event.'))
    .meta({ description: 'Types of the events that are sent; null means all.' })
    .nullable(),
  enabled: flag('Whether events are sent. Events of a disabled webhook are kept for a replay.'),
  disabled_reason: word(
    ['manual', 'gone', 'failing'],
    'Why the webhook was disabled. `manual`: by an administrator; `gone`: the server answered with 410; `failing`: no event was delivered for five days.',
  ).nullable(),
  disabled_at: localDateTime('When the webhook was disabled.').nullable(),
  failing_since: localDateTime('Since when no event has been delivered; null if the latest event was delivered.').nullable(),
  previous_secret_until: localDateTime('Until when events are also signed with the previous secret.').nullable(),
  created_at: localDateTime('When the webhook was created.'),
  modified_at: localDateTime('When the webhook was last changed.'),
};

const webhook: z.ZodType = z.object({ id: uuid('Id.'), ...fields }).meta({ id: 'Webhook' });
const webhookWithSecret: z.ZodType = z
  .object({ id: uuid('Id.'), secret: text('Secret for the signatures. It is shown only in this response.'), ...fields })
  .meta({ id: 'WebhookWithSecret' });

const delivery: z.ZodType = z
  .object({
    id: uuid('Id of the event. Requests send it as `webhook-id`.'),
    event_type: growingWord(eventTypes, 'Type of the event.'),
    state: word(
      deliveryStates,
      '`pending`: the event will be sent, perhaps again; `delivered`: the event was delivered; `dead`: no further attempt is made unless the event is replayed.',
    ),
    attempts: integer('Number of attempts since the delivery was created or replayed.'),
    created_at: localDateTime('When the event happened.'),
    last_attempt_at: localDateTime('When the last attempt ended.').nullable(),
    last_response_status: integer('HTTP status of the last response; null if there was none.').nullable(),
    last_problem: growingWord(problems, 'Why the last attempt failed. `disabled`: the webhook was disabled.').nullable(),
    next_attempt_at: localDateTime('When the next attempt is due; null if the delivery is not pending.').nullable(),
    delivered_at: localDateTime('When the event was last delivered.').nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
const replayCount = z
  .object({
    replayed: integer('Number of events that will be sent again.'),
    next: uuid('If there are more events, repeat the request with this value as `after`. Null if these were all.').nullable(),
  })
  .meta({ id: 'WebhookReplay' });

const WEBHOOK_ID = 'e1a3c5d7-9b1f-4e3a-8c5d-7f9b1e3a5c64';
const EVENT_ID = '019a5f0e-7c1d-7f3a-9b5e-1d3f5a7c9e86';

const given = { url: 'https://erp.example.com/hooks', description: 'ERP', event_types: ['records.workday.changed'], enabled: true };
const state = { disabled_reason: null, disabled_at: null, failing_since: null, previous_secret_until: null };
const times = { created_at: '2026-11-02T08:00:00', modified_at: '2026-11-02T08:00:00' };
const sample = { id: WEBHOOK_ID, ...given, ...state, ...times };
const secretSample = { id: WEBHOOK_ID, secret: `whsec_${'x'.repeat(43)}=`, ...given, ...state, ...times };
const deliverySample = {
  id: EVENT_ID,
  event_type: 'records.workday.changed',
  state: 'delivered',
  attempts: 1,
  created_at: '2026-11-02T08:00:00',
  last_attempt_at: '2026-11-02T08:00:01',
  last_response_status: 204,
  last_problem: null,
  next_attempt_at: null,
  delivered_at: '2026-11-02T08:00:01',
};
const waitingSample = { ...deliverySample, state: 'pending', attempts: 0, last_attempt_at: null, last_response_status: null };
const dueSample = { ...waitingSample, next_attempt_at: '2026-11-02T08:00:00', delivered_at: null };

const path = idInPath('Id of the webhook.', WEBHOOK_ID);
const deliveryPath = path.extend({ delivery: uuid('Id of the delivery.').meta({ param: { example: EVENT_ID } }) });
const body = described(webhookBody, z.object(fields));
const bodyProblems = { url: ['The URL must start with https://.'], event_types: ['"workday.changed" is not a valid choice.'] };
const replayWords = z.object({
  since: text('Only events since this local time.'),
  states: text('Only events whose deliveries have one of these states. If omitted, `dead`.'),
  after: text('Value of `next` in the previous response. Only events that come after this event.'),
});

export const webhookDocs: OperationDocs = {
  'GET /webhooks/': {
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: 'The webhooks of the institution, oldest first.',
    query: z.object({ ...page }),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(webhook), pageExample(sample)) } },
    problems: { $query: ['"url" is not a valid ordering field.'] },
  },
  'POST /webhooks/': {
    id: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Events that happen from now on are sent to the webhook. They are signed as in the Standard Webhooks specification. An institution has at most ten webhooks.',
    body: { schema: body, example: given },
    answers: {
      201: { description: 'The webhook, with its secret, which is shown only once.', content: json(webhookWithSecret, secretSample) },
    },
    problems: bodyProblems,
  },
  'GET /webhooks/{id}/': {
    id: 'getWebhook',
    summary: 'Get one webhook',
    description: 'Returns the webhook without its secret.',
    path,
    answers: { 200: { description: 'The webhook.', content: json(webhook, sample) } },
  },
  'PATCH /webhooks/{id}/': {
    id: 'updateWebhook',
    summary: 'Change a webhook',
    description: 'Changes only the fields in the body. To enable a disabled webhook again, set `enabled` to `true`.',
    path,
    body: { schema: body.partial(), example: { enabled: true } },
    answers: { 200: { description: 'The webhook.', content: json(webhook, sample) } },
    problems: bodyProblems,
  },
  'DELETE /webhooks/{id}/': {
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook and its deliveries.',
    path,
    answers: { 204: { description: 'Deleted.' } },
  },
  'POST /webhooks/{id}/secret/': {
    id: 'rotateWebhookSecret',
    summary: 'Get a new secret',
    description: 'Replaces the secret. For one day, events are also signed with the previous secret.',
    path,
    answers: {
      200: { description: 'The webhook, with its secret, which is shown only once.', content: json(webhookWithSecret, secretSample) },
    },
  },
  'POST /webhooks/{id}/test/': {
    id: 'testWebhook',
    summary: 'Send a test event',
    description: 'Sends the event `webhooks.webhook.tested` to this webhook, regardless of its event types and even if it is disabled.',
    path,
    answers: { 202: { description: 'The delivery.', content: json(delivery, { ...dueSample, event_type: 'webhooks.webhook.tested' }) } },
  },
  'POST /webhooks/{id}/replay/': {
    id: 'replayWebhook',
    summary: 'Send events again',
    description:
      'Sends the events since a given time again, with the same ids and oldest first. One request sends at most 10,000 events again; if there ' +
      'are more, the response says where to continue. Events are kept for 14 days.',
    path,
    body: { schema: described(replayBody, replayWords), example: { since: '2026-11-01T00:00:00', states: ['dead'] } },
    answers: { 200: { description: 'How many events will be sent again.', content: json(replayCount, { replayed: 12, next: null }) } },
    problems: { since: ['This field is required.'] },
  },
  'GET /webhooks/{id}/deliveries/': {
    id: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description: 'The deliveries of a webhook, newest first: what was sent in the last 14 days, and what will be sent.',
    path,
    query: z.object({ states: choices('States', deliveryStates), order: order(listOrders.deliveries), ...page }),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(delivery), pageExample(deliverySample)) } },
    problems: { states: ['"lost" is not a valid choice.'] },
  },
  'POST /webhooks/{id}/deliveries/{delivery}/replay/': {
    id: 'replayWebhookDelivery',
    summary: 'Send one event again',
    description: 'Sends the event again with the same id, regardless of the state of its delivery.',
    path: deliveryPath,
    answers: { 202: { description: 'The delivery.', content: json(delivery, dueSample) } },
    problems: { non_field_errors: ['The webhook is disabled. Enable it first.'] },
  },
};
