import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

/** A body that is made while it is sent. */
export interface StreamedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Sends a body as fast as the client takes it. Status and headers go out with the first byte: until then a failure can still be answered
 * properly.
 */
export async function sendStream(response: ServerResponse, { headers, chunks, signal }: StreamedBody): Promise<void> {
  for await (const chunk of chunks) {
    if (chunk.byteLength === 0) continue;
    if (!response.headersSent) response.writeHead(200, headers);
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
  if (!response.headersSent) response.writeHead(200, headers);
  response.end();
}

/**
 * Breaks an answer off so that no client takes it for complete: also one of HTTP/1.0, as many proxies are, which reads a body without
 * length up to the end of the connection. A reset is no such end.
 */
export function breakOff(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.resetAndDestroy();
}
