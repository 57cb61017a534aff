import type { ServerResponse } from 'node:http';
import type { PageRequest } from '@stechuhr/kernel';
import { pageAnswer } from './links.js';
import { ReaderPace, type Pace } from './reader-pace.js';
import type { Query } from './request.js';

export const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

/** Bytes that are handed on at a time, so that progress shows also where a message is large. */
const PIECE_BYTES = 64 * 1024;

/** A body that is made while it is sent. */
export interface StreamedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** By default 16 KiB a second over a minute. */
  readonly pace?: Pace;
}

/**
 * Sends a body as fast as the client takes it. Status and headers go out with the first byte: until then a failure can still be answered
 * properly.
 *
 * @throws AppError `rate_limited` when the client is slower than its pace
 */
export async function sendStream(response: ServerResponse, body: StreamedBody): Promise<void> {
  const { headers, chunks } = body;
  const reader = new ReaderPace(body.signal, body.pace);
  try {
    for await (const chunk of chunks) {
      for (const piece of piecesOf(chunk)) {
        if (!response.headersSent) response.writeHead(200, headers);
        if (!response.write(piece)) await reader.drained(response, piece.byteLength);
      }
    }
  } finally {
    reader.stop();
  }
  if (!response.headersSent) response.writeHead(200, headers);
  response.end();
}

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < chunk.byteLength; from += PIECE_BYTES) yield chunk.subarray(from, from + PIECE_BYTES);
}

/**
 * Breaks an answer off so that no client takes it for complete: also one of HTTP/1.0, as many proxies are, which reads a body without
 * length up to the end of the connection. A reset is no such end.
 */
export function breakOff(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.resetAndDestroy();
}

/** How one JSON document is made of messages that carry parts of a list. */
interface ListShape<M> {
  /** The document up to the list's opening bracket, from the first message. */
  readonly start: (first: M) => string;
  readonly items: (message: M) => readonly object[];
}

/**
 * A JSON document whose last member is a list, made while it is sent. Nothing is given out before there is an item or the end: what fails
 * until then is still a proper error.
 */
export async function* jsonList<M>(
  messages: AsyncIterable<M>,
  { start, items }: ListShape<M>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let before: string | undefined;
  for await (const message of messages) {
    const listed = items(message)
      .map((item) => JSON.stringify(item))
      .join(',');
    before ??= start(message);
    if (listed === '') continue;
    yield Buffer.from(before + listed);
    before = ',';
  }
  if (before === undefined) throw new Error('The list has no message.');
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`);
}

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
export async function sendPage<M extends { readonly count: number }>(response: ServerResponse, page: PartsOfPage<M>): Promise<void> {
  const { address, query, limit, offset, messages, results: items, signal } = page;
  const start = ({ count }: M): string => {
    const whole = JSON.stringify(pageAnswer(address, query, { count, limit, offset, results: [] }));
    return whole.slice(0, -']}'.length);
  };
  await sendStream(response, { headers: JSON_HEADERS, chunks: jsonList(messages, { start, items }), signal });
}
