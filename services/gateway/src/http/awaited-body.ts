import type { IncomingMessage, ServerResponse } from 'node:http';

/** The response to a request whose client waits with the body, and whether the connection stays open if the body is read. */
interface Waiting {
  readonly response: ServerResponse;
  readonly keepAlive: boolean;
}

/** The requests whose clients wait with the body until they are asked for it (`Expect: 100-continue`). */
const waiting = new WeakMap<IncomingMessage, Waiting>();

/**
 * Notes that the client waits with the body. If the response is sent without asking for the body, the connection is closed: the client may then
 * leave the body out, so it is unknown what follows.
 */
export function awaitBody(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, { response, keepAlive: response.shouldKeepAlive });
  response.shouldKeepAlive = false;
}

/** Whether the client still waits with the body. */
export function isBodyAwaited(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** Asks a client that waits with the body for it. */
export function askForBody(request: IncomingMessage): void {
  const client = waiting.get(request);
  if (client === undefined) return;
  waiting.delete(request);
  client.response.shouldKeepAlive = client.keepAlive;
  client.response.writeContinue();
}
