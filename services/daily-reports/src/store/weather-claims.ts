import type { Clock } from '@stechuhr/kernel';
import { isDuplicateKey } from '@stechuhr/mongo';
import { Schema, trusted, type Connection, type Model } from 'mongoose';
import type { WeatherClaims } from '../operations/weather-port.js';
import { documentId } from './keys.js';

/** A claim on reading the weather of a report; `_id` is that of the report. */
export interface WeatherClaimDocument {
  readonly _id: string;
  /** Days since 1970-01-01. */
  readonly date: number;
  readonly attempts: number;
  /** No other process may try before this time. */
  readonly until: Date;
}

const schema = new Schema<WeatherClaimDocument>(
  {
    _id: { type: String, required: true },
    date: { type: Number, required: true },
    attempts: { type: Number, required: true },
    until: { type: Date, required: true },
  },
  { collection: 'weather_claims', versionKey: false },
);
schema.index({ date: 1 });

export function weatherClaimModel(connection: Connection): Model<WeatherClaimDocument> {
  return connection.model<WeatherClaimDocument>('WeatherClaim', schema);
}

/** Retries after 5, 15, 45 minutes and so on, the last one more than six hours after the one before. */
const FIRST_PAUSE_MS = 5 * 60_000;
const MAX_ATTEMPTS = 6;

/**
 * Creates the claims. A claim that is not released expires. It serves both as the lease of the process that reads the weather and as the
 * pause after a failure.
 */
export function createWeatherClaims(model: Model<WeatherClaimDocument>, clock: Clock): WeatherClaims {
  return {
    async claim(tenant, report) {
      const _id = documentId(tenant, report);
      const found = await model.findById(_id).lean();
      if (found === null) return insert(model, { _id, date: report.date, attempts: 1, until: pauseAfter(1, clock) });
      const { attempts, until } = found;
      if (attempts >= MAX_ATTEMPTS || until.getTime() > clock.now()) return false;
      const next = { attempts: attempts + 1, until: pauseAfter(attempts + 1, clock) };
      return (await model.updateOne({ _id, attempts }, { $set: next })).modifiedCount === 1;
    },
    async release(tenant, report) {
      await model.deleteOne({ _id: documentId(tenant, report) });
    },
    async removeBefore(date) {
      await model.deleteMany({ date: trusted({ $lt: date }) });
    },
  };
}

async function insert(model: Model<WeatherClaimDocument>, claim: WeatherClaimDocument): Promise<boolean> {
  try {
    await model.create(claim);
    return true;
  } catch (caught) {
    if (isDuplicateKey(caught)) return false;
    throw caught;
  }
}

function pauseAfter(attempts: number, clock: Clock): Date {
  return new Date(clock.now() + FIRST_PAUSE_MS * 3 ** (attempts - 1));
}
