import { formatLocalTime, instantAt, type EpochDay, type EpochSecond } from '@stechuhr/worktime';
import type { Form } from './form.js';

/** A time of a form at which weather is captured. */
export interface WeatherSlot {
  readonly fieldId: string;
  /** Time of day, `HH:MM`. */
  readonly time: string;
}

/**
 * Weather is captured for reports of today and of this number of days before, because times can be missing after an outage or if a report
 * was created late.
 */
export const WEATHER_DAYS_BACK = 1;

/** Returns the slots of a day whose time has passed. A slot in the skipped hour (March) is due when the clocks have passed it. */
export function dueSlots(form: Form, date: EpochDay, now: EpochSecond): readonly WeatherSlot[] {
  return form.fields.flatMap(({ id: fieldId, type, config }) =>
    type === 'weather' && config.autofillFromApi
      ? [...new Set(config.times)].filter((time) => momentOf(date, time) <= now).map((time) => ({ fieldId, time: withColon(time) }))
      : [],
  );
}

/** Returns when the next slot of a day is due; undefined after the last one. */
export function nextSlotAt(form: Form, date: EpochDay, now: EpochSecond): EpochSecond | undefined {
  const moments = form.fields.flatMap(({ type, config }) =>
    type === 'weather' && config.autofillFromApi ? config.times.map((time) => momentOf(date, time)) : [],
  );
  return moments.filter((moment) => moment > now).sort((a, b) => a - b)[0];
}

/** Returns the local hour of a slot on its day. In March 02:30 is skipped, and the clocks show 03:30 instead. */
export function hourOfSlot(date: EpochDay, { time }: WeatherSlot): number {
  return Number(formatLocalTime(momentOf(date, time.replace(':', ''))).slice(0, 2));
}

function momentOf(date: EpochDay, time: string): EpochSecond {
  return instantAt(date, Number(time.slice(0, 2)) * 3600 + Number(time.slice(2)) * 60);
}

function withColon(time: string): string {
  return `${time.slice(0, 2)}:${time.slice(2)}`;
}
