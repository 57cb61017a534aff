import type { Page } from '@stechuhr/kernel';
import type { mongo } from 'mongoose';
import type { BrowseQuery } from '../../domain/browse.js';
import type { Caller } from '../../domain/caller.js';

/** Where the pages of one group come from. */
export type Source<T> = (caller: Caller, query: BrowseQuery) => Promise<Page<T>>;

export type Stored = mongo.Document & { readonly _id: string };

/** What no reader needs. */
export const INTERNAL = { outbox: 0, version: 0, sequence: 0 };

export function descendingOf(order: BrowseQuery['order'], field: string): boolean {
  return order.find((one) => one.field === field)?.descending ?? false;
}
