import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWebhookReceiver, waitFor, type WebhookReceiver } from '@stechuhr/testing';
import { call } from './support/http.js';
import { startTestPlatform, type TestPlatform } from './support/platform.js';
import { sampleOrganization } from './support/sample-organization.js';

const { org, admin, employee, day, lines } = sampleOrganization(46);

let receiver: WebhookReceiver;
let platform: TestPlatform;
let token: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const settings = { WEBHOOK_ALLOWED_HOSTS: 'localhost', WEBHOOK_CA_FILE: receiver.caFile };
  // Without NATS users each process may create the streams, so each needs the number of partitions.
  const partitions = { NATS_STREAMS: JSON.stringify({ events: { partitions: 16, maxBytes: '64Mi' } }) };
  platform = await startTestPlatform(partitions, ['webhooks'], { services: { webhooks: settings } });
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(admin);
});
afterAll(async () => {
  await platform.stop();
  await receiver.stop();
});

function send(method: string, path: string, body?: object) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return call(`${platform.baseUrl}/webhooks/${path}`, { method, token, ...sent });
}

describe('a webhook with event partitions', () => {
  it('receives a signed event for a deletion in an import, and lists it as delivered', async () => {
    const created = await send('POST', '', { url: `${receiver.origin}/erp`, event_types: ['records.workday.deleted'] });
    expect(created).toMatchObject({ status: 201, json: { enabled: true, event_types: ['records.workday.deleted'] } });
    const { id, secret } = created.json as { readonly id: string; readonly secret: string };
    expect((await send('GET', `${id}/`)).text).not.toContain(secret);

    await platform.importLines([
      { kind: 'workday', institution_id: org.id(0), id: org.id(61), employee_id: employee, date: day, deleted: true },
    ]);
    const request = await waitFor(() => receiver.at('/erp')[0]);
    const { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(
      `${String(eventId)}.${String(timestamp)}.${request.body}`,
    );
    expect(signature).toBe(`v1,${expected.digest('base64')}`);
    expect(JSON.parse(request.body)).toMatchObject({
      type: 'records.workday.deleted',
      institution_id: org.id(0),
      data: { id: org.id(61) },
    });

    const shown = await platform.cli(['events', 'replay', '--institution', org.id(0), '--type', 'records.workday.deleted']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: eventId });
    const delivered = await waitFor(async () => {
      const { json } = await send('GET', `${id}/deliveries/?states=delivered`);
      return (json as { readonly results: readonly object[] }).results[0];
    });
    expect(delivered).toMatchObject({ id: eventId, state: 'delivered', attempts: 1, last_response_status: 204 });
    expect(await send('POST', `${id}/deliveries/${String(eventId)}/replay/`)).toMatchObject({ status: 202 });
    const again = await waitFor(() => receiver.at('/erp')[1]);
    expect([again.headers['webhook-id'], again.body]).toEqual([eventId, request.body]);
  });
});
