import { describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import type { CloudEvent } from '@stechuhr/contracts';
import { createEvent } from './create-event.js';
import { OwnEvents } from './own-events.js';

const KEPT_MS = 3_600_000;
const clock = { now: () => Date.now() };

const eventOf = (institutionId: string): CloudEvent =>
  createEvent({ type: 'records.employee.changed', institutionId, data: { id: newId() }, clock });

const documentOf = (...events: CloudEvent[]) => ({ docId: newId(), institutionId: events[0]?.institutionid, events, isDeleted: false });

describe('OwnEvents', () => {
  it('has room for an institution, however many events of others wait', () => {
    const own = new OwnEvents(['months'], KEPT_MS);
    const busy = Array.from({ length: 4 }, () => newId());
    for (const institutionId of busy) for (let count = 0; count < 12_000; count++) own.add(eventOf(institutionId), 'months');
    const event = eventOf(newId());
    own.add(event, 'months');
    expect(own.leads(event.id)).toBe(true);
    own.begin('months');
    expect(own.take('months', 5).unread).toHaveLength(5);
  });

  it('takes documents with many events a few at a time', () => {
    const own = new OwnEvents(['months'], KEPT_MS);
    const [one, other] = [newId(), newId()];
    for (let count = 0; count < 5; count++) own.addAlone(documentOf(...Array.from({ length: 400 }, () => eventOf(one))), 'months');
    own.addAlone(documentOf(eventOf(other)), 'months');
    expect(own.begin('months')).toBe(6);
    const taken = own.take('months', 200);
    expect(taken.alone.map(({ events }) => events.length)).toEqual([400, 1, 400, 400]);
    expect(taken.taken).toBe(4);
  });

  it('takes what could not be published again in the next pass, now as events that have to be looked for', () => {
    const own = new OwnEvents(['months'], KEPT_MS);
    const event = eventOf(newId());
    own.addAlone(documentOf(event), 'months');
    own.begin('months');
    expect(own.take('months', 10)).toMatchObject({ alone: [{ events: [event] }], unread: [] });
    expect(own.begin('months')).toBe(1);
    expect(own.take('months', 10)).toMatchObject({ alone: [], unread: [{ id: event.id }] });
    own.remove([event.id]);
    expect(own.begin('months')).toBe(0);
  });

  it('looks for an event of an unknown store in each, until it was published', () => {
    const own = new OwnEvents(['months', 'employees'], KEPT_MS);
    const event = eventOf(newId());
    own.add(event);
    expect(['months', 'employees'].map((store) => own.begin(store))).toEqual([1, 1]);
    own.notFound([event.id], 'months');
    expect(own.take('employees', 10).unread).toHaveLength(1);
  });
});
