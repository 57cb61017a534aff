import { Schema, type Connection, type Model } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import { outboxIndex } from '@stechuhr/mongo';
import type { Rights } from '../domain/token.js';

export interface TokenDocument {
  readonly _id: string;
  readonly hash: string;
  readonly prefix: string;
  readonly name: string | null;
  readonly account_id: string;
  readonly institution_id: string;
  /** Absent if an operator issued it. */
  readonly issued_by?: string;
  readonly scopes: Rights['scopes'];
  /** Absent means false. */
  readonly strict?: boolean;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
  /**
   * Its number among the tokens that its account issued through the API. It is unique for each account, so that their number can be limited
   * under concurrent writes.
   */
  readonly slot?: number;
  /** Only set until the token is confirmed. When this time has passed, whoever was issuing it has failed, and it is deleted. */
  readonly unconfirmed_until?: Date;
  /** Only set while a deleted token has unpublished events. */
  readonly deleted_at?: Date;
  readonly outbox: readonly CloudEvent[];
}

const schema = new Schema<TokenDocument>(
  {
    _id: { type: String, required: true },
    hash: { type: String, required: true },
    prefix: { type: String, required: true },
    name: { type: String, default: null },
    account_id: { type: String, required: true },
    institution_id: { type: String, required: true },
    issued_by: { type: String },
    scopes: { type: [String], default: null },
    strict: { type: Boolean },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, default: null },
    last_used_at: { type: Date, default: null },
    revoked_at: { type: Date, default: null },
    slot: { type: Number },
    unconfirmed_until: { type: Date },
    deleted_at: { type: Date },
    outbox: { type: [Schema.Types.Mixed], default: [] },
  },
  { collection: 'tokens', versionKey: false },
);
schema.index({ hash: 1 }, { unique: true });
schema.index({ account_id: 1, created_at: 1 });
schema.index({ institution_id: 1, account_id: 1, slot: 1 }, { unique: true, partialFilterExpression: { slot: { $exists: true } } });
schema.index({ unconfirmed_until: 1 }, { sparse: true });
schema.index(...outboxIndex);

export function tokenModel(connection: Connection): Model<TokenDocument> {
  return connection.model<TokenDocument>('Token', schema);
}
