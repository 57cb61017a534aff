import { stockFields } from '@stechuhr/kernel';
import { z } from 'zod';
import { eventTypes } from '../events.js';
import { nullable } from './fields.js';

const { choice, text, uuid } = stockFields;

/** Maximum number of characters of a webhook's URL. */
const MAX_URL = 2_048;
const LIST_PROBLEM = 'Expected a list of items.';
const BOOLEAN_PROBLEM = 'Must be a valid boolean.';

const typeList = z
  .array(choice(...eventTypes), { error: LIST_PROBLEM })
  .min(1, { error: 'This list may not be empty.' })
  .max(eventTypes.length, { error: `Ensure this field has no more than ${String(eventTypes.length)} elements.` });

/** States of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'dead'] as const;

/** Body of POST on webhooks; PATCH may omit any field. */
export const webhookBody = z.object({
  url: text(MAX_URL),
  description: nullable(text()),
  event_types: nullable(typeList),
  enabled: z.boolean({ error: BOOLEAN_PROBLEM }).default(true),
});

/** Body of POST on the replay of a webhook; `since` is a local time, `after` is taken from the previous response. */
export const replayBody = z.object({
  since: text(),
  states: z
    .array(choice(...deliveryStates), { error: LIST_PROBLEM })
    .max(deliveryStates.length, { error: `Ensure this field has no more than ${String(deliveryStates.length)} elements.` })
    .default(['dead']),
  after: nullable(uuid()),
});
