import { Schema, type Connection, type Model } from 'mongoose';

/** Somebody asked, or is asking, for the weather of a report; `_id` is that of the report. */
export interface WeatherClaimDocument {
  readonly _id: string;
  /** Days since 1970-01-01. */
  readonly date: number;
  readonly attempts: number;
  /** Nobody else asks before. */
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
