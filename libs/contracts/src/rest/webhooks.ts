import { stockBoolean, stockFields, stockList } from '@stechuhr/kernel';
import { z } from 'zod';
import { eventTypes } from '../events.js';
import { nullable } from './fields.js';

const { choice, text, uuid } = stockFields;

/** Maximum number of characters of a webhook's URL. */
const MAX_URL = 2_048;

const typeList = stockList(choice(...eventTypes), { max: eventTypes.length });

/** States of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'dead'] as const;

/** Body of POST on webhooks; PATCH may omit any field. */
export const webhookBody = z.object({
  url: text(MAX_URL),
  description: nullable(text()),
  event_types: nullable(typeList),
  enabled: stockBoolean().default(true),
});

/** Body of POST on the replay of a webhook; `since` is a local time, `after` is taken from the previous response. */
export const replayBody = z.object({
  since: text(),
  states: stockList(choice(...deliveryStates), { max: deliveryStates.length, mayBeEmpty: true }).default(['dead']),
  after: nullable(uuid()),
});
