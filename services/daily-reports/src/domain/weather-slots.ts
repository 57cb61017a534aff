import { instantAt, type EpochDay, type EpochSecond } from '@stechuhr/worktime';
import type { Form } from './form.js';

/** A time of a form at which weather is captured. */
export interface WeatherSlot {
  readonly fieldId: string;
  /** `HH:MM` */
  readonly time: string;
}

/** The slots of a day that have come; a slot without its own moment (March) comes when the clocks have passed it. */
export function dueSlots(form: Form, date: EpochDay, now: EpochSecond): readonly WeatherSlot[] {
  return form.fields.flatMap(({ id: fieldId, type, config }) =>
    type === 'weather' && config.autofillFromApi
      ? [...new Set(config.times)].filter((time) => momentOf(date, time) <= now).map((time) => ({ fieldId, time: withColon(time) }))
      : [],
  );
}

function momentOf(date: EpochDay, time: string): EpochSecond {
  return instantAt(date, Number(time.slice(0, 2)) * 3600 + Number(time.slice(2)) * 60);
}

function withColon(time: string): string {
  return `${time.slice(0, 2)}:${time.slice(2)}`;
}
