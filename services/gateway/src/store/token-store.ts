import { trusted, type Model } from 'mongoose';
import type { CloudEvent } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { insertWithin } from '@stechuhr/mongo';
import type { Token } from '../domain/token.js';
import type { TokenStore } from '../operations/ports.js';
import type { TokenDocument } from './token-model.js';

/** Excludes the outbox from reads, because only the relay needs its events. */
const FIELDS = { outbox: 0 } as const;

export function createTokenStore(model: Model<TokenDocument>): TokenStore {
  return {
    async insert(token, event) {
      await model.create({ ...toDocument(token), outbox: [event] });
    },
    insertWithin: (max, token, event) => insertToken(model, { max, token, event }),
    async findByHash(hash) {
      const document = await model.findOne({ hash }, FIELDS).lean().catch(asUnavailable);
      return document === null ? undefined : toToken(document);
    },
    async findById(id) {
      const document = await model.findOne({ _id: id }, FIELDS).lean();
      return document === null ? undefined : toToken(document);
    },
    async list(accountId) {
      const filter = accountId === undefined ? {} : { account_id: accountId };
      const documents = await model.find(filter, FIELDS).sort({ created_at: 1, _id: 1 }).lean();
      return documents.map(toToken);
    },
    async listOwn({ institutionId, accountId }) {
      const documents = await model
        .find({ institution_id: institutionId, account_id: accountId }, FIELDS)
        .sort({ created_at: 1, _id: 1 })
        .lean();
      return documents.map(toToken);
    },
    async removeLapsed({ institutionId, accountId }, before) {
      const longAgo = trusted({ $lt: new Date(before) });
      await model.deleteMany({
        institution_id: institutionId,
        account_id: accountId,
        $or: [{ revoked_at: longAgo }, { expires_at: longAgo }],
        outbox: trusted({ $size: 0 }),
      });
    },
    async revoke(id, revokedAt, event) {
      const change = { $set: { revoked_at: new Date(revokedAt) }, $push: { outbox: event } };
      await model.updateOne({ _id: id, revoked_at: null }, change);
    },
    async remove(id, removedAt) {
      // The order matters: otherwise the relay could publish the last event in between, and the document would never be deleted.
      await model.updateOne({ _id: id }, { $set: { deleted_at: new Date(removedAt) } });
      await model.deleteOne({ _id: id, outbox: trusted({ $size: 0 }) });
    },
    async touch(id, usedAt, intervalMs) {
      const longAgo = trusted({ $lte: new Date(usedAt - intervalMs) });
      const filter = { _id: id, $or: [{ last_used_at: null }, { last_used_at: longAgo }] };
      await model.updateOne(filter, { $set: { last_used_at: new Date(usedAt) } });
    },
  };
}

interface Bounded {
  readonly max: number;
  readonly token: Token;
  readonly event: CloudEvent;
}

function insertToken(model: Model<TokenDocument>, { max, token, event }: Bounded): Promise<boolean> {
  const account = { institution_id: token.institutionId, account_id: token.accountId };
  return insertWithin(max, {
    takenSlots: async () => (await model.find(account, { slot: 1 }).lean()).map(({ slot }) => slot),
    insert: (slot) => model.create({ ...toDocument(token), slot, outbox: [event] }),
  });
}

/** Every request depends on this read, and its input is always valid: if it fails, the database is unavailable. */
function asUnavailable(caught: unknown): never {
  throw new AppError('unavailable', 'Authentication is temporarily unavailable.', { cause: caught });
}

function toDocument(token: Token): Omit<TokenDocument, 'outbox'> {
  return {
    _id: token.id,
    hash: token.hash,
    prefix: token.prefix,
    name: token.name,
    account_id: token.accountId,
    institution_id: token.institutionId,
    ...(token.issuedBy !== null && { issued_by: token.issuedBy }),
    scopes: token.scopes,
    ...(token.strict && { strict: true }),
    created_at: new Date(token.createdAt),
    expires_at: toDate(token.expiresAt),
    last_used_at: toDate(token.lastUsedAt),
    revoked_at: toDate(token.revokedAt),
  };
}

function toToken(document: Omit<TokenDocument, 'outbox'>): Token {
  return {
    id: document._id,
    hash: document.hash,
    prefix: document.prefix,
    name: document.name,
    accountId: document.account_id,
    institutionId: document.institution_id,
    issuedBy: document.issued_by ?? null,
    scopes: document.scopes,
    strict: document.strict === true,
    createdAt: document.created_at.getTime(),
    expiresAt: toTime(document.expires_at),
    lastUsedAt: toTime(document.last_used_at),
    revokedAt: toTime(document.revoked_at),
  };
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

function toTime(date: Date | null): number | null {
  return date === null ? null : date.getTime();
}
