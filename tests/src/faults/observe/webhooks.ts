import { createHmac } from 'node:crypto';
import type { ReceivedRequest } from '@stechuhr/testing';
import type { Subscriber } from '../firm.js';
import type { ReceivedEvent } from '../judge-webhooks.js';

/** Parses a received webhook and verifies its signature in the documented way. */
export function receivedBy(subscribers: readonly Subscriber[], { path, headers, body }: ReceivedRequest): ReceivedEvent {
  const subscriber = subscribers.find((one) => one.path === path);
  const { type, institution_id: institutionId } = JSON.parse(body) as { readonly type: string; readonly institution_id: string };
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  const key = Buffer.from(subscriber?.secret.replace(/^whsec_/, '') ?? '', 'base64');
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.${body}`)
    .digest('base64');
  return {
    receiver: subscriber?.institutionId ?? path,
    id: String(id),
    type,
    institutionId,
    body,
    isGenuine: String(signature).split(' ').includes(`v1,${expected}`),
  };
}
