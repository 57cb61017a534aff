import { formatLocalTime, instantAt, type EpochDay, type EpochSecond } from '@stechuhr/worktime';
import type { Form } from './form.js';

/** A time of a form at which weather is captured. */
export interface WeatherSlot {
  readonly fieldId: string;
  /** `HH:MM` */
  readonly time: string;
}

/** Weather is captured for reports of today and of so many days before: times can be missing after an outage, or where a report came late. */
export const WEATHER_DAYS_BACK = 1;

/** The slots of a day that have come; a slot without its own moment (March) comes when the clocks have passed it. */
export function dueSlots(form: Form, date: EpochDay, now: EpochSecond): readonly WeatherSlot[] {
  return form.fields.flatMap(({ id: fieldId, type, config }) =>
    type === 'weather' && config.autofillFromApi
      ? [...new Set(config.times)].filter((time) => momentOf(date, time) <= now).map((time) => ({ fieldId, time: withColon(time) }))
      : [],
  );
}

/** When the next slot of a day comes; undefined after the last. */
export function nextSlotAt(form: Form, date: EpochDay, now: EpochSecond): EpochSecond | undefined {
  const moments = form.fields.flatMap(({ type, config }) =>
    type === 'weather' && config.autofillFromApi ? config.times.map((time) => momentOf(date, time)) : [],
  );
  return moments.filter((moment) => moment > now).sort((a, b) => a - b)[0];
}

/** The hour of a slot by the clock on its day: in March 02:30 is skipped, and the clocks show 03:30 then. */
export function hourOfSlot(date: EpochDay, { time }: WeatherSlot): number {
  return Number(formatLocalTime(momentOf(date, time.replace(':', ''))).slice(0, 2));
}

function momentOf(date: EpochDay, time: string): EpochSecond {
  return instantAt(date, Number(time.slice(0, 2)) * 3600 + Number(time.slice(2)) * 60);
}

function withColon(time: string): string {
  return `${time.slice(0, 2)}:${time.slice(2)}`;
}
