import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { call, type Answer } from './support/http.js';
import type { UsedPlatform } from './support/platform.js';
import { sampleOrganization } from './support/sample-organization.js';
import { sharedPlatform } from './support/shared-platform.js';

const { org, admin, employee, lines } = sampleOrganization(97);

const rule = {
  employee_id: employee,
  label: 'Umzug',
  missing_type: 'vacation',
  amount: '1.00',
  priority: 1,
  available_from: '2026-01-01',
  expires_at: '2026-12-31',
};
const suppression = { code: 'insufficient-break', employee_id: employee, valid_from: '2026-01-01' };
const webhook = { url: 'https://name.invalid/', event_types: ['webhooks.webhook.tested'] };

interface Repeat {
  readonly path: string;
  readonly method: 'PUT' | 'PATCH';
  readonly created: object;
  /** What the record has already, written differently where that is possible. */
  readonly same: object;
  readonly other: object;
}

/** Every kind of record that clients can change. */
const repeats: readonly Repeat[] = [
  {
    path: '/timestamps/absence-rules/',
    method: 'PUT',
    created: rule,
    same: { ...rule, employee_id: employee.toUpperCase(), label: ' Umzug ', amount: 1, priority: '1' },
    other: { ...rule, label: 'Heirat' },
  },
  {
    path: '/reviews/suppressions/',
    method: 'PATCH',
    created: suppression,
    same: { employee_id: employee.toUpperCase(), valid_to: null },
    other: { valid_to: '2026-12-31' },
  },
  {
    path: '/webhooks/',
    method: 'PATCH',
    created: webhook,
    same: { ...webhook, description: null, enabled: true },
    other: { enabled: false },
  },
];

let platform: UsedPlatform;
let token: string;
let watch: SubjectWatch;

beforeAll(async () => {
  platform = await sharedPlatform();
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(admin);
  watch = await watchSubjects(platform.run.infra.nats, `stechuhr.events.${org.id(0)}.>`);
});
afterAll(() => watch.stop());

const send = (method: string, path: string, body?: object): Promise<Answer> =>
  call(`${platform.baseUrl}${path}`, {
    method,
    token,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

it.each(repeats)('$method $path without a change publishes no event', async ({ path, method, created, same, other }) => {
  const { json } = await send('POST', path, created);
  const { id } = json as { readonly id: string };
  const record = `${path}${id}/`;
  const before = await send('GET', record);
  expect(await send(method, record, same)).toMatchObject({ status: 200, text: before.text });
  expect(await send(method, record, other)).toMatchObject({ status: 200, json: expect.objectContaining(other) });
  expect((await send('DELETE', record)).status).toBe(204);
  // The events of a record arrive in their order.
  await watch.next(({ subject, text }) => subject.endsWith('.deleted') && text.includes(id));
  const verbs = watch.messages.filter(({ text }) => text.includes(id)).map(({ subject }) => subject.split('.').at(-1));
  expect(verbs).toEqual(['created', 'updated', 'deleted']);
});
