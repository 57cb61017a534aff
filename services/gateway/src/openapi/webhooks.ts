import { deliveryStates, eventTypes, listOrders, replayBody, webhookBody } from '@stechuhr/contracts';
import { z } from 'zod';
import { json, type OperationDocs } from './operation-doc.js';
import { choices, described, idInPath, order, page } from './parameters.js';
import { flag, growingWord, integer, localDateTime, pageExample, pageOf, text, url, uuid, word } from './values.js';

const problems = ['status', 'redirect', 'timeout', 'unresolvable', 'address_not_public', 'tls', 'connection', 'disabled'] as const;

const fields = {
  url: url('Where events are sent: https, a public address, port 443 or from 1024 on.'),
  description: text('What it is for.').nullable(),
  event_types: z
    .array(growingWord(eventTypes, 'Type of an event.'))
    .meta({ description: 'The events that are sent; null means all.' })
    .nullable(),
  enabled: flag('Whether events are sent. Those of a disabled webhook are kept for a replay.'),
  disabled_reason: word(
    ['manual', 'gone', 'failing'],
    '`manual`: by an administrator; `gone`: it answered 410; `failing`: no event was delivered for five days.',
  ).nullable(),
  disabled_at: localDateTime('When it was disabled.').nullable(),
  failing_since: localDateTime('Since when no event was delivered; null when the latest one was.').nullable(),
  previous_secret_until: localDateTime('Until when events are signed with the previous secret, too.').nullable(),
  created_at: localDateTime('When it was created.'),
  modified_at: localDateTime('When it was changed.'),
};

const webhook: z.ZodType = z.object({ id: uuid('Id.'), ...fields }).meta({ id: 'Webhook' });
const webhookWithSecret: z.ZodType = z
  .object({ id: uuid('Id.'), secret: text('The secret of the signatures. It is shown only in this answer.'), ...fields })
  .meta({ id: 'WebhookWithSecret' });

const delivery: z.ZodType = z
  .object({
    id: uuid('Id of the event, and the `webhook-id` of its requests.'),
    event_type: growingWord(eventTypes, 'Type of the event.'),
    state: word(deliveryStates, '`pending`: it will be sent, perhaps again; `delivered`; `dead`: it was given up.'),
    attempts: integer('Requests since it was created or replayed.'),
    created_at: localDateTime('When the event happened.'),
    last_attempt_at: localDateTime('When the last request ended.').nullable(),
    last_response_status: integer('Status of the last answer; null when there was none.').nullable(),
    last_problem: growingWord(problems, 'Why the last request failed; `disabled`: the webhook was.').nullable(),
    next_attempt_at: localDateTime('When it is due; null when it is not pending.').nullable(),
    delivered_at: localDateTime('When it was last delivered.').nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
const replayCount = z
  .object({
    replayed: integer('Events that are due again.'),
    next: uuid('Where there are more, the event to repeat the request with as `after`; null when these were all.').nullable(),
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
  since: text('Events since then, local time.'),
  states: text('Those in these states; if left out, those that were given up.'),
  after: text('`next` of the answer before: only events that come after it.'),
});

export const webhookDocs: OperationDocs = {
  'GET /webhooks/': {
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Those of the institution, oldest first.',
    query: z.object({ ...page }),
    answers: { 200: { description: 'One page.', content: json(pageOf(webhook), pageExample(sample)) } },
  },
  'POST /webhooks/': {
    id: 'createWebhook',
    summary: 'Create a webhook',
    description: 'Events from now on are sent to it, signed by the Standard Webhooks specification. An institution has ten at most.',
    body: { schema: body, example: given },
    answers: {
      201: { description: 'The webhook, with its secret, which is shown only once.', content: json(webhookWithSecret, secretSample) },
    },
    problems: bodyProblems,
  },
  'GET /webhooks/{id}/': {
    id: 'getWebhook',
    summary: 'Get one webhook',
    description: 'Without its secret.',
    path,
    answers: { 200: { description: 'The webhook.', content: json(webhook, sample) } },
  },
  'PATCH /webhooks/{id}/': {
    id: 'updateWebhook',
    summary: 'Change a webhook',
    description: 'Only the given fields change. One that was disabled is enabled again with `enabled`.',
    path,
    body: { schema: body.partial(), example: { enabled: true } },
    answers: { 200: { description: 'The webhook.', content: json(webhook, sample) } },
    problems: bodyProblems,
  },
  'DELETE /webhooks/{id}/': {
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'With its deliveries.',
    path,
    answers: { 204: { description: 'Deleted.' } },
  },
  'POST /webhooks/{id}/secret/': {
    id: 'rotateWebhookSecret',
    summary: 'Get a new secret',
    description: 'For a day events are signed with the previous secret, too.',
    path,
    answers: {
      200: { description: 'The webhook, with its secret, which is shown only once.', content: json(webhookWithSecret, secretSample) },
    },
  },
  'POST /webhooks/{id}/test/': {
    id: 'testWebhook',
    summary: 'Send a test',
    description: 'Sends the event `webhooks.webhook.tested` to this webhook, whatever its event types, also while it is disabled.',
    path,
    answers: { 202: { description: 'The delivery.', content: json(delivery, { ...dueSample, event_type: 'webhooks.webhook.tested' }) } },
  },
  'POST /webhooks/{id}/replay/': {
    id: 'replayWebhook',
    summary: 'Send events again',
    description:
      'Those since a time, with the same ids, oldest first: at most 10,000 a request. Where there are more, the answer says from where to go on. ' +
      'Events are kept for 14 days.',
    path,
    body: { schema: described(replayBody, replayWords), example: { since: '2026-11-01T00:00:00', states: ['dead'] } },
    answers: { 200: { description: 'How many.', content: json(replayCount, { replayed: 12, next: null }) } },
    problems: { since: ['This field is required.'] },
  },
  'GET /webhooks/{id}/deliveries/': {
    id: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description: 'What was sent to a webhook in the last 14 days, or will be; newest first.',
    path,
    query: z.object({ states: choices('States', deliveryStates), order: order(listOrders.deliveries), ...page }),
    answers: { 200: { description: 'One page.', content: json(pageOf(delivery), pageExample(deliverySample)) } },
    problems: { states: ['"lost" is not a valid choice.'] },
  },
  'POST /webhooks/{id}/deliveries/{delivery}/replay/': {
    id: 'replayWebhookDelivery',
    summary: 'Send one event again',
    description: 'With the same id, whatever became of it before.',
    path: deliveryPath,
    answers: { 202: { description: 'The delivery.', content: json(delivery, dueSample) } },
    problems: { non_field_errors: ['The webhook is disabled. Enable it first.'] },
  },
};
