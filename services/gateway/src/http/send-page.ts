import type { Response } from 'express';
import type { PageRequest } from '@stechuhr/kernel';
import { jsonList } from './json-list.js';
import { pageAnswer } from './links.js';
import type { Query } from './query.js';
import { JSON_HEADERS, sendStream } from './send-stream.js';

/** A page that comes in parts. */
interface PartsOfPage<M extends { readonly count: number }> extends PageRequest {
  /** The absolute address of the list. */
  readonly address: string;
  readonly query: Query;
  readonly messages: AsyncIterable<M>;
  readonly results: (message: M) => readonly object[];
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Sends a page of a list as its parts come: one that is too large for a message is too large for memory. */
export async function sendPage<M extends { readonly count: number }>(response: Response, page: PartsOfPage<M>): Promise<void> {
  const { address, query, limit, offset, messages, results: items, signal } = page;
  const start = ({ count }: M): string => {
    const whole = JSON.stringify(pageAnswer(address, query, { count, limit, offset, results: [] }));
    return whole.slice(0, -']}'.length);
  };
  await sendStream(response, { headers: JSON_HEADERS, chunks: jsonList(messages, { start, items }), signal });
}
