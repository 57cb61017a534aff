import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commonV1, webhooksV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { judgeOutOfBounds, OUT_OF_BOUNDS, watchSubjects, waitFor } from '@stechuhr/testing';
import { callerOf, startWebhooks, type RunningWebhooks } from './support/running-webhooks.js';

const URL = 'https://example.com/hooks';
/** An address to which nothing is sent. */
const silent = { url: URL, event_types: ['records.import.finished'] };

let running: RunningWebhooks;

beforeAll(async () => {
  running = await startWebhooks({ WEBHOOK_ALLOWED_HOSTS: '' });
});
afterAll(() => running.stop());

describe('webhooks', () => {
  it('are stored with the given fields, and their secret is shown once', async () => {
    const admin = running.as(callerOf(newId()));
    const given = { url: URL, description: 'ERP', event_types: ['records.workday.changed', 'records.workday.changed'] };
    const { webhook, secret } = await admin.create(given);
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({
      url: URL,
      description: 'ERP',
      eventTypes: { types: ['records.workday.changed'] },
      enabled: true,
      disabledReason: webhooksV1.DisabledReason.DISABLED_REASON_UNSPECIFIED,
    });
    expect(await admin.get(webhook.id)).toEqual(webhook);
    expect(await admin.list()).toEqual({ count: 1, webhooks: [webhook] });
    expect(await admin.list({ limit: 1, offset: 1 })).toEqual({ count: 1, webhooks: [] });
    const second = await admin.rotate(webhook.id);
    expect(second).not.toBe(secret);
    expect((await admin.get(webhook.id)).previousSecretUntil).toBeGreaterThan(Date.now() / 1000);
  });

  it.each(['', 'x', 'a b', '*', `${newId()}.x`])('of a caller whose institution is %j are not stored', async (institutionId) => {
    const nobody = running.as(callerOf(institutionId));
    await expect(nobody.create(silent)).rejects.toMatchObject({ code: 'internal' });
    await expect(nobody.list()).rejects.toMatchObject({ code: 'internal' });
  });

  it('are the same for an institution in upper case', async () => {
    const institutionId = newId();
    const { webhook } = await running.as(callerOf(institutionId.toUpperCase())).create(silent);
    expect(await running.as(callerOf(institutionId)).get(webhook.id)).toEqual(webhook);
  });

  it('are not listed without the bounds of a page, nor are their deliveries', async () => {
    const admin = running.as(callerOf(newId()));
    const { webhook } = await admin.create(silent);
    expect(await judgeOutOfBounds((page) => admin.list(page))).toEqual(OUT_OF_BOUNDS);
    expect(await judgeOutOfBounds((page) => admin.deliveries(webhook.id, {}, page))).toEqual(OUT_OF_BOUNDS);
  });

  it('change only the given fields', async () => {
    const admin = running.as(callerOf(newId()));
    const { webhook } = await admin.create({ url: URL, description: 'ERP' });
    expect(await admin.update(webhook.id, { enabled: false, event_types: ['records.import.finished'] })).toMatchObject({
      url: URL,
      description: 'ERP',
      enabled: false,
      disabledReason: webhooksV1.DisabledReason.DISABLED_REASON_MANUAL,
      eventTypes: { types: ['records.import.finished'] },
    });
    expect(await admin.update(webhook.id, { event_types: null, enabled: true })).toMatchObject({ eventTypes: undefined, enabled: true });
    await admin.delete(webhook.id);
    await expect(admin.get(webhook.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(admin.delete(webhook.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['nothing', {}, { url: ['This field is required.'] }],
    ['http', { url: 'http://example.com' }, { url: ['The URL must start with https://.'] }],
    ['a private address', { url: 'https://10.0.0.1/' }, { url: ['The address is not public.'] }],
    ['a long URL', { url: `https://example.com/${'x'.repeat(2_048)}` }, { url: ['Ensure this field has no more than 2048 characters.'] }],
    [
      'several problems',
      { url: 'x', event_types: ['nothing'], enabled: 'yes' },
      { url: ['Enter a valid URL.'], event_types: ['"nothing" is not a valid choice.'], enabled: ['Must be a valid boolean.'] },
    ],
    [
      'values of other types',
      { url: URL, event_types: {}, enabled: null },
      { event_types: ['Expected a list of items but got type "dict".'], enabled: ['This field may not be null.'] },
    ],
    ['no event types', { url: URL, event_types: [] }, { event_types: ['This list may not be empty.'] }],
  ])('are rejected with %s', async (_name, body, details) => {
    await expect(running.as(callerOf(newId())).create(body)).rejects.toMatchObject({ code: 'invalid', details });
  });

  it('are limited to ten', async () => {
    const admin = running.as(callerOf(newId()));
    const tried = await Promise.allSettled(Array.from({ length: 14 }, () => admin.create(silent)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(admin.create(silent)).rejects.toMatchObject({ details: { non_field_errors: [expect.stringContaining('10')] } });
    const { webhooks } = await admin.list();
    expect(webhooks).toHaveLength(10);
    await admin.delete(webhooks[3]?.id ?? '');
    await admin.create(silent);
    await expect(admin.create(silent)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('are accessible only to administrators of the institution who may see all projects', async () => {
    const institutionId = newId();
    const { webhook } = await running.as(callerOf(institutionId)).create(silent);
    const { ROLE_ADMIN, ROLE_MANAGER, ROLE_DEPARTMENT_LEADER } = commonV1.Role;
    const ofSomeProjects = { role: ROLE_ADMIN, departmentIds: [], projects: { projectIds: [newId()] } };
    for (const caller of [
      callerOf(institutionId, ROLE_MANAGER),
      callerOf(institutionId, ROLE_DEPARTMENT_LEADER),
      { ...callerOf(institutionId), visibility: ofSomeProjects },
    ]) {
      const other = running.as(caller);
      await expect(other.list()).rejects.toMatchObject({ code: 'forbidden' });
      await expect(other.create(silent)).rejects.toMatchObject({ code: 'forbidden' });
    }
    const foreign = running.as(callerOf(newId()));
    for (const call of [
      () => foreign.get(webhook.id),
      () => foreign.update(webhook.id, { url: 'x' }),
      () => foreign.delete(webhook.id),
      () => foreign.rotate(webhook.id),
      () => foreign.test(webhook.id),
      () => foreign.deliveries(webhook.id),
      () => foreign.replay(webhook.id, newId()),
      () => foreign.replaySince(webhook.id, {}),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('stay as they are if a change contains only what they have', async () => {
    const institutionId = newId();
    const watch = await watchSubjects(running.servers.natsUrl, `stechuhr.events.${institutionId}.>`);
    const admin = running.as(callerOf(institutionId));
    const given = { url: URL, description: 'ERP', event_types: ['records.import.finished'], enabled: false };
    const { webhook } = await admin.create(given);
    running.advance(60_000);
    for (const change of [{}, { enabled: false }, given]) expect(await admin.update(webhook.id, change)).toEqual(webhook);
    expect(await admin.get(webhook.id)).toEqual(webhook);
    expect((await admin.update(webhook.id, { event_types: null })).modifiedAt).toBe(webhook.modifiedAt + 60);
    const verbs = () => watch.messages.map(({ subject }) => subject.split('.').at(-1));
    await waitFor(() => Promise.resolve(verbs().includes('updated')));
    expect(verbs()).toEqual(['created', 'updated']);
    await watch.stop();
  });

  it('publish events about their changes', async () => {
    const institutionId = newId();
    const watch = await watchSubjects(running.servers.natsUrl, `stechuhr.events.${institutionId}.>`);
    const admin = running.as(callerOf(institutionId));
    const { webhook } = await admin.create({ url: URL, enabled: false });
    await admin.update(webhook.id, { description: 'x' });
    await admin.rotate(webhook.id);
    await admin.delete(webhook.id);
    const verbs = () => watch.messages.map(({ subject }) => subject.split('.').at(-1));
    await waitFor(() => Promise.resolve(verbs().length === 4));
    expect(verbs()).toEqual(['created', 'updated', 'updated', 'deleted']);
    await watch.stop();
  });
});
