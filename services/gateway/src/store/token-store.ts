import { trusted, type Model, type QueryFilter } from 'mongoose';
import { AppError } from '@stechuhr/kernel';
import { insertWithin } from '@stechuhr/mongo';
import type { Token } from '../domain/token.js';
import type { TokenStore, UnconfirmedTokens } from '../operations/ports.js';
import type { TokenDocument } from './token-model.js';

/** Excludes the outbox from reads, because only the relay needs its events. */
const FIELDS = { outbox: 0 } as const;

/** An unconfirmed token does not exist for anybody. */
const CONFIRMED = { unconfirmed_until: null } as const;

export function createTokenStore(model: Model<TokenDocument>): TokenStore {
  return {
    ...issuing(model),
    async findByHash(hash) {
      const document = await model
        .findOne({ hash, ...CONFIRMED }, FIELDS)
        .lean()
        .catch(asUnavailable);
      return document === null ? undefined : toToken(document);
    },
    async findById(id) {
      const document = await model.findOne({ _id: id, ...CONFIRMED }, FIELDS).lean();
      return document === null ? undefined : toToken(document);
    },
    async list(accountId) {
      const filter = accountId === undefined ? CONFIRMED : { account_id: accountId, ...CONFIRMED };
      const documents = await model.find(filter, FIELDS).sort({ created_at: 1, _id: 1 }).lean();
      return documents.map(toToken);
    },
    async listOwn({ institutionId, accountId }) {
      const documents = await model
        .find({ institution_id: institutionId, account_id: accountId, ...CONFIRMED }, FIELDS)
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

function issuing(model: Model<TokenDocument>): Pick<TokenStore, 'insert' | 'insertWithin' | 'confirm' | 'removeUnconfirmed'> {
  return {
    async insert(token, until) {
      await model.create(toUnconfirmed(token, until));
    },
    insertWithin: (max, token, until) => insertToken(model, { max, token, until }),
    async confirm(id, event) {
      const change = { $unset: { unconfirmed_until: 1 }, $push: { outbox: event } };
      const { matchedCount } = await model.updateOne({ _id: id, unconfirmed_until: trusted({ $ne: null }) }, change);
      return matchedCount === 1;
    },
    async removeUnconfirmed(which) {
      await model.deleteMany(unconfirmed(which));
    },
  };
}

function unconfirmed(which: UnconfirmedTokens): QueryFilter<TokenDocument> {
  if ('before' in which) return { unconfirmed_until: trusted({ $lt: new Date(which.before) }) };
  const some = 'id' in which ? { _id: which.id } : { institution_id: which.institutionId, account_id: which.accountId };
  return { ...some, unconfirmed_until: trusted({ $ne: null }) };
}

interface Bounded {
  readonly max: number;
  readonly token: Token;
  readonly until: number;
}

function insertToken(model: Model<TokenDocument>, { max, token, until }: Bounded): Promise<boolean> {
  const account = { institution_id: token.institutionId, account_id: token.accountId };
  return insertWithin(max, {
    takenSlots: async () => (await model.find(account, { slot: 1 }).lean()).map(({ slot }) => slot),
    insert: (slot) => model.create({ ...toUnconfirmed(token, until), slot }),
  });
}

/** Every request depends on this read, and its input is always valid: if it fails, the database is unavailable. */
function asUnavailable(caught: unknown): never {
  throw new AppError('unavailable', 'Authentication is temporarily unavailable.', { cause: caught });
}

function toUnconfirmed(token: Token, until: number): TokenDocument {
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
    unconfirmed_until: new Date(until),
    outbox: [],
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
