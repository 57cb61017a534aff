import type { Http2Session } from 'node:http2';

/**
 * How many bytes the other side of a connection may send before they are acknowledged, over all of its streams: as much as a thousand streams
 * send with windows of their own (RFC 9113, section 6.9.2; 65,535 bytes each). With the default, which is the window of a single stream, all
 * calls of a gateway to a service share these 65,535 bytes, so that a small message waits until the large ones before it have been sent.
 */
export const CONNECTION_WINDOW_BYTES = 64 * 1024 * 1024;

/** Sets the window of a connection. What each stream may send stays limited by its own window, and so does the memory that it takes. */
export function widenWindow(session: Http2Session): void {
  const widen = (): void => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
  if (session.connecting) session.once('connect', widen);
  else widen();
}
