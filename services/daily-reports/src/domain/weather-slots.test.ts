import { describe, expect, it } from '@jest/globals';
import { epochDay } from '@stechuhr/worktime';
import type { Form, FormField } from './form.js';
import { dueSlots, hourOfSlot, nextSlotAt } from './weather-slots.js';

const form = (...fields: FormField[]): Form => ({ id: null, validFrom: null, fields });
const weather = (id: string, autofillFromApi: boolean, ...times: string[]): FormField => ({
  ...{ id, type: 'weather', label: 'Witterung' },
  config: { times, autofillFromApi },
});
const due = (of: Form, date: number, now: string) =>
  dueSlots(of, date, Date.parse(now) / 1000).map(({ fieldId, time }) => `${fieldId} ${time}`);

describe('dueSlots', () => {
  const usual = form(weather('weather', true, '0700', '1200', '1730'));
  const day = epochDay(2026, 3, 10);

  it.each([
    ['none before the first', '2026-03-10T05:59:59Z', []],
    ['the first on its minute', '2026-03-10T06:00:00Z', ['weather 07:00']],
    ['two after noon', '2026-03-10T15:00:00Z', ['weather 07:00', 'weather 12:00']],
    ['all on the day after', '2026-03-11T00:00:00Z', ['weather 07:00', 'weather 12:00', 'weather 17:30']],
    ['none the day before', '2026-03-09T20:00:00Z', []],
  ])('are %s', (_, now, expected) => {
    expect(due(usual, day, now)).toEqual(expected);
  });

  it('are those of fields that capture weather, each time once', () => {
    const several = form(weather('off', false, '0700'), weather('b', true, '0700', '0700'), weather('a', true, '0600'));
    expect(due(several, day, '2026-03-10T20:00:00Z')).toEqual(['b 07:00', 'a 06:00']);
  });

  it('are due on the nights of clock changes, too', () => {
    const night = form(weather('weather', true, '0230'));
    expect(due(night, epochDay(2026, 3, 29), '2026-03-29T01:29:59Z')).toEqual([]);
    expect(due(night, epochDay(2026, 3, 29), '2026-03-29T01:30:00Z')).toEqual(['weather 02:30']);
    expect(due(night, epochDay(2026, 10, 25), '2026-10-25T00:30:00Z')).toEqual(['weather 02:30']);
  });
});

describe('nextSlotAt', () => {
  const usual = form(weather('off', false, '0900'), weather('weather', true, '1200', '0700'));

  it.each([
    ['2026-03-10T05:59:59Z', '2026-03-10T06:00:00Z'],
    ['2026-03-10T06:00:00Z', '2026-03-10T11:00:00Z'],
    ['2026-03-10T11:00:00Z', undefined],
  ])('after %s is %s', (now, next) => {
    expect(nextSlotAt(usual, epochDay(2026, 3, 10), Date.parse(now) / 1000)).toBe(next && Date.parse(next) / 1000);
  });
});

describe('hourOfSlot', () => {
  it.each([
    ['as it says', epochDay(2026, 3, 10), '07:59', 7],
    ['the next one where the clocks skip it', epochDay(2026, 3, 29), '02:30', 3],
    ['as it says where it comes twice', epochDay(2026, 10, 25), '02:30', 2],
  ])('is %s', (_, date, time, hour) => {
    expect(hourOfSlot(date, { fieldId: 'weather', time })).toBe(hour);
  });
});
