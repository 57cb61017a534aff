import type { Page } from '@stechuhr/kernel';
import type { mongo } from 'mongoose';
import type { Browsed, BrowseQuery } from '../../domain/browse.js';
import type { Caller } from '../../domain/caller.js';

/** Reads pages of one group. */
export type Source<T> = (caller: Caller, query: BrowseQuery) => Promise<Page<Browsed<T>>>;

export type Stored = mongo.Document & { readonly _id: string } & StoredTimes;

/** Stored creation and modification time of a record. */
export interface StoredTimes {
  readonly recorded_at?: Date;
  readonly modified_at?: Date;
}

export function browsed<T>(record: T, { recorded_at, modified_at }: StoredTimes): Browsed<T> {
  return { record, createdAt: secondsOf(recorded_at), modifiedAt: secondsOf(modified_at) };
}

function secondsOf(time: Date | undefined): number | undefined {
  return time && Math.floor(time.getTime() / 1000);
}

/** Returns the filter for records that were created or changed since the requested time. Records without a time count as older. */
export function modifiedSince(query: Pick<BrowseQuery, 'modifiedSince'>, field = 'modified_at'): mongo.Document {
  return query.modifiedSince === undefined ? {} : { [field]: { $gte: new Date(query.modifiedSince * 1000) } };
}

/** A projection without the internal fields of a document. */
export const INTERNAL = { outbox: 0, version: 0, sequence: 0 };

export function descendingOf(order: BrowseQuery['order'], field: string): boolean {
  return order.find((one) => one.field === field)?.descending ?? false;
}
