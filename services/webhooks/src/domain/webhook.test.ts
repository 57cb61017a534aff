import { describe, expect, it } from '@jest/globals';
import { bodyOf, changed, hasFailedForLong, rotated, secretsAt, wants, type PlatformEvent, type Webhook } from './webhook.js';

const DAY_MS = 86_400_000;
const CREATED = Date.parse('2026-11-01T08:00:00Z');

const webhook: Webhook = {
  id: 'w',
  institutionId: 'i',
  url: 'https://example.com/',
  description: null,
  eventTypes: ['records.workday.changed'],
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  // By the clock of this service, which is ahead of that of the bus.
  createdAt: CREATED + 3_600_000,
  eventsFrom: CREATED,
  modifiedAt: CREATED,
  secret: 'first',
  previousSecrets: [],
  version: 0,
};
const event: PlatformEvent = {
  id: 'e',
  institutionId: 'i',
  type: 'records.workday.changed',
  time: '2026-11-01T08:00:01.000Z',
  storedAt: CREATED + 1_000,
  data: { id: 'r', date: '2026-10-31' },
};

describe('a webhook', () => {
  it.each([
    ['a type that it names', {}, {}, true],
    ['another type', {}, { type: 'records.workday.deleted' }, false],
    ['any type without a list', { eventTypes: null }, { type: 'records.workday.deleted' }, true],
    ['what happened and was stored before it', {}, { time: '2026-11-01T07:59:00.000Z', storedAt: CREATED - 59_000 }, false],
    [
      'what was stored before it, by a service whose clock is ahead',
      {},
      { time: '2026-11-01T09:00:00.000Z', storedAt: CREATED - 59_000 },
      false,
    ],
    ['what was stored by another server of the bus, whose clock is a little behind', {}, { storedAt: CREATED - 4_000 }, true],
    ['what a service reports whose clock is behind', {}, { time: '2026-11-01T07:50:00.000Z' }, true],
    ['a test of it, whatever it names', {}, { type: 'webhooks.webhook.tested', data: { id: 'w' } }, true],
    ['a test of another one', { eventTypes: null }, { type: 'webhooks.webhook.tested', data: { id: 'x' } }, false],
  ])('wants or does not want %s', (_name, fields, change, expected) => {
    expect(wants({ ...webhook, ...fields }, { ...event, ...change })).toBe(expected);
  });

  it('gets type, time, institution and data', () => {
    expect(bodyOf(event)).toBe(
      '{"type":"records.workday.changed","timestamp":"2026-11-01T08:00:01.000Z","institution_id":"i","data":{"id":"r","date":"2026-10-31"}}',
    );
  });

  it('is signed with both secrets for a day', () => {
    const after = rotated(webhook, 'second', CREATED);
    expect(secretsAt(after, CREATED + DAY_MS - 1)).toEqual(['second', 'first']);
    expect(secretsAt(after, CREATED + DAY_MS)).toEqual(['second']);
    expect(secretsAt(webhook, CREATED)).toEqual(['first']);
  });

  it('is signed with each secret for a day after it was replaced, with five at most', () => {
    const second = rotated(webhook, 'second', CREATED);
    const third = rotated(second, 'third', CREATED + DAY_MS - 1);
    expect(secretsAt(third, CREATED + DAY_MS - 1)).toEqual(['third', 'second', 'first']);
    expect(secretsAt(third, CREATED + DAY_MS)).toEqual(['third', 'second']);
    expect(rotated(third, 'fourth', CREATED + DAY_MS).previousSecrets.map(({ secret }) => secret)).toEqual(['third', 'second']);
    const many = ['4', '5', '6'].reduce((before, secret) => rotated(before, secret, CREATED), second);
    expect(secretsAt(rotated(many, '7', CREATED), CREATED)).toEqual(['7', '6', '5', '4', 'second']);
  });

  it('records who disabled it, and resets its failures when it is enabled', () => {
    const { url, description, eventTypes } = webhook;
    const off = changed({ ...webhook, failingSince: 1 }, { url, description, eventTypes, enabled: false }, 5);
    expect(off).toMatchObject({ enabled: false, disabledReason: 'manual', disabledAt: 5, failingSince: 1 });
    expect(changed(off, { url, description, eventTypes, enabled: true }, 6)).toEqual({ ...webhook, modifiedAt: 6 });
  });

  it('is disabled after five days without a success', () => {
    expect(hasFailedForLong({ failingSince: null }, 6 * DAY_MS)).toBe(false);
    expect(hasFailedForLong({ failingSince: 0 }, 5 * DAY_MS - 1)).toBe(false);
    expect(hasFailedForLong({ failingSince: 0 }, 5 * DAY_MS)).toBe(true);
  });
});
