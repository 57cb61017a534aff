import type { ServerResponse } from 'node:http';
import type { PageRequest } from '@stechuhr/kernel';
import { pageAnswer } from './links.js';
import { ReaderPace, type Pace } from './reader-pace.js';
import type { Query } from './request.js';

export const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

/** The maximum number of bytes that are written at a time, so that progress is visible even for a large message. */
export const PIECE_BYTES = 64 * 1024;

/** A body that is produced while it is sent. */
export interface StreamedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** The minimum reading rate; by default 16 KiB a second, averaged over a minute. */
  readonly pace?: Pace;
}

/**
 * Sends a body as fast as the client reads it. Status and headers are sent with the first byte, so that an earlier failure can still be
 * answered with an error.
 *
 * @throws AppError `rate_limited` if the client is slower than the minimum rate
 */
export async function sendStream(response: ServerResponse, body: StreamedBody): Promise<void> {
  const { headers, chunks } = body;
  const reader = new ReaderPace(body.signal, body.pace);
  // Small pieces fill the buffer of the connection together.
  let written = 0;
  try {
    for await (const chunk of chunks) {
      for (const piece of piecesOf(chunk)) {
        if (!response.headersSent) response.writeHead(response.statusCode, headers);
        written += piece.byteLength;
        if (response.write(piece)) continue;
        await reader.drained(response, written);
        written = 0;
      }
    }
  } finally {
    reader.stop();
  }
  if (!response.headersSent) response.writeHead(response.statusCode, headers);
  response.end();
}

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < chunk.byteLength; from += PIECE_BYTES) yield chunk.subarray(from, from + PIECE_BYTES);
}

/**
 * Aborts a response with a connection reset, so that no client takes it for complete. An HTTP/1.0 client, such as many proxies, reads a
 * body without a length up to the end of the connection, and only a reset does not look like such an end.
 */
export function breakOff(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.resetAndDestroy();
}

/** How a JSON document is built from messages that contain parts of a list. */
interface ListShape<M> {
  /** Returns the document up to the opening bracket of the list, from the first message. */
  readonly start: (first: M) => string;
  readonly items: (message: M) => readonly object[];
}

/**
 * Produces a JSON document whose last member is a list, while it is sent. It yields nothing before the first item or the end, so that an
 * earlier failure can still be answered with an error.
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

/** A page of a list that is received in parts. */
interface PartsOfPage<M extends { readonly count: number }> extends PageRequest {
  /** The absolute address of the list. */
  readonly address: string;
  readonly query: Query;
  readonly messages: AsyncIterable<M>;
  readonly results: (message: M) => readonly object[];
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Sends a page of a list as its parts arrive, because a page that is too large for one message should not be held in memory either. */
export async function sendPage<M extends { readonly count: number }>(response: ServerResponse, page: PartsOfPage<M>): Promise<void> {
  const { address, query, limit, offset, messages, results: items, signal } = page;
  const start = ({ count }: M): string => {
    const whole = JSON.stringify(pageAnswer(address, query, { count, limit, offset, results: [] }));
    return whole.slice(0, -']}'.length);
  };
  await sendStream(response, { headers: JSON_HEADERS, chunks: jsonList(messages, { start, items }), signal });
}
