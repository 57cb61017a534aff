import type { Clock } from '@stechuhr/kernel';
import { trusted, type Model } from 'mongoose';
import { capturesWeather } from '../domain/form.js';
import type { DueCapture, WeatherAgenda } from '../operations/weather-port.js';
import type { FormDocument } from './form-model.js';

/** The lease on the reports of an institution. Each report is also claimed individually. */
const LEASE_MS = 10 * 60_000;
/** The number of due institutions from which one is chosen at random, so that replicas do not all choose the same one. */
const CHOICE = 20;
const MAX_TRIES = 20;

/** A time in the past: due at once. */
const AT_ONCE = new Date(0);

/** Returns the schedule fields for a write of a form. Forms that capture weather are due at once, others never. */
export function dueOf(form: { readonly fields: FormDocument['fields'] }): { readonly $set: object; readonly $unset: object } {
  return capturesWeather(form) ? { $set: { weather_due: AT_ONCE }, $unset: {} } : { $set: {}, $unset: { weather_due: 1 } };
}

/**
 * Creates the schedule, which is stored in the forms as `weather_due` if they capture weather. All due forms of an institution are taken
 * together.
 */
export function createWeatherAgenda(model: Model<FormDocument>, clock: Clock): WeatherAgenda {
  const take = async (): Promise<DueCapture | undefined> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const now = new Date(clock.now());
      const due = await model
        .find({ weather_due: trusted({ $lte: now }), deleted_at: null }, { institution_id: 1, weather_due: 1 })
        .sort({ weather_due: 1 })
        .limit(CHOICE)
        .lean();
      const chosen = due[Math.floor(Math.random() * due.length)];
      if (chosen?.weather_due === undefined) return undefined;
      const { _id, institution_id, weather_due } = chosen;
      const until = new Date(now.getTime() + LEASE_MS);
      const lease = { $set: { weather_due: until } };
      const { modifiedCount } = await model.updateOne({ _id, institution_id, weather_due, deleted_at: null }, lease);
      if (modifiedCount === 0) continue;
      await model.updateMany({ institution_id, weather_due: trusted({ $lte: now }) }, lease);
      return { institutionId: institution_id, until };
    }
    return undefined;
  };
  return {
    take,
    async reschedule({ institutionId, until }, at) {
      await model.updateMany({ institution_id: institutionId, weather_due: until }, { $set: { weather_due: new Date(at) } });
    },
    async hasten({ institutionId }) {
      const now = new Date(clock.now());
      await model.updateMany({ institution_id: institutionId, weather_due: trusted({ $gt: now }) }, { $set: { weather_due: now } });
    },
    async adopt() {
      const unplanned = { 'fields.config.autofillFromApi': true, deleted_at: null, weather_due: null };
      await model.updateMany(unplanned, { $set: { weather_due: AT_ONCE } });
    },
  };
}
