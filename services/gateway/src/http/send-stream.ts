import type { ServerResponse } from 'node:http';
import type { PageRequest } from '@stechuhr/kernel';
import { pageAnswer } from './links.js';
import { ReaderPace, type Pace } from './reader-pace.js';
import type { Query } from './request.js';

export const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

/** How many bytes are passed on at a time, so that progress is visible within large messages. */
const PIECE_BYTES = 64 * 1024;

/** A response body that is generated while it is sent. */
export interface StreamedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** By default 16 KiB a second over a minute. */
  readonly pace?: Pace;
}

/**
 * Sends a body as fast as the client reads it. Status and headers are sent with the first byte; until then, a failure can still be answered properly.
 * @throws AppError `rate_limited` if the client reads too slowly
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
 * Aborts a response so that no client takes it for complete. HTTP/1.0 clients, including many proxies, read a body without a length up to the end of
 * the connection; a reset is not taken for that end.
 */
export function breakOff(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.resetAndDestroy();
}

/** How a JSON document is assembled from messages with parts of a list. */
interface ListShape<M> {
  /** The document up to the opening bracket of the list, from the first message. */
  readonly start: (first: M) => string;
  readonly items: (message: M) => readonly object[];
}

/**
 * A JSON document whose last member is a list, generated while it is sent. Nothing is returned before the first item or the end, so that earlier
 * failures can still be answered properly.
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

/** A page that arrives in parts. */
interface PartsOfPage<M extends { readonly count: number }> extends PageRequest {
  /** The absolute address of the list. */
  readonly address: string;
  readonly query: Query;
  readonly messages: AsyncIterable<M>;
  readonly results: (message: M) => readonly object[];
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Sends a page of a list while its parts arrive: a page may be too large to be kept in memory. */
export async function sendPage<M extends { readonly count: number }>(response: ServerResponse, page: PartsOfPage<M>): Promise<void> {
  const { address, query, limit, offset, messages, results: items, signal } = page;
  const start = ({ count }: M): string => {
    const whole = JSON.stringify(pageAnswer(address, query, { count, limit, offset, results: [] }));
    return whole.slice(0, -']}'.length);
  };
  await sendStream(response, { headers: JSON_HEADERS, chunks: jsonList(messages, { start, items }), signal });
}
