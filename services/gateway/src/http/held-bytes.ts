import type { Response } from 'express';
import { AppError, type Share } from '@stechuhr/kernel';
import { countRefusal } from '../metrics.js';
import { JSON_HEADERS, PIECE_BYTES, sendStream } from './send-stream.js';

/**
 * The maximum number of bytes that this process holds for its clients: bodies until their requests are answered, and large answers until
 * they are received. A client decides how fast it sends and reads; without a limit, hundreds that do so slowly would exhaust the memory. An
 * institution gets more only while at least as much is free as it already holds, so half of it at most.
 */
export const HELD_BYTES = 64 * 1024 * 1024;

/** Counts a refused request and returns its error, `rate_limited`. */
export function tooManyBytes(): AppError {
  countRefusal('held_bytes');
  return new AppError(
    'rate_limited',
    'Too many bodies and responses of your institution are on their way. Try again when some have arrived.',
  );
}

interface Receiver {
  readonly held: Share;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Sends a JSON body with the status of the response. A large one is sent as fast as the client reads it.
 *
 * @throws AppError `rate_limited` if the institution already holds as much as it may, or if the client is slower than the minimum rate
 */
export function sendJson(response: Response, body: object, receiver: Receiver): Promise<void> {
  // The object is not held while the client reads.
  return sendBytes(response, Buffer.from(JSON.stringify(body)), receiver);
}

async function sendBytes(response: Response, bytes: Buffer, { held, signal }: Receiver): Promise<void> {
  // Small ones fit into the buffers of the connection.
  if (bytes.byteLength <= PIECE_BYTES) return void response.set(JSON_HEADERS).send(bytes);
  if (!held.add(bytes.byteLength)) throw tooManyBytes();
  const headers = { ...JSON_HEADERS, 'Content-Length': String(bytes.byteLength) };
  await sendStream(response, { headers, chunks: [bytes], signal });
}
