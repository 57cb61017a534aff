import { SpanKind, SpanStatusCode, type Attributes } from '@opentelemetry/api';
import type { Span, SpanProcessor } from '@opentelemetry/sdk-trace';
import { REDACTED, framesOf, withoutIdentities } from '../redaction.js';

// Error messages may quote their input. The log line of the same trace contains the message without it.
const MESSAGES = new Set(['exception.message', 'grpc.error_message', 'error.message']);
// Attributes with the URLs of outgoing requests: the current convention and two older ones. Paths of webhooks may be secret, as well as
// their queries.
const ADDRESSES = new Set(['url.full', 'http.url', 'http.target']);
// What a client of the API sends in its headers, and its IP address, which is personal data as well.
const OF_CLIENT = new Set(['user_agent.original', 'client.address', 'network.peer.address', 'server.address']);
const AFTER_HOST = /^([a-z]+:\/\/[^/?#]*)?.*$/is;
const ID_LIKE = /^[0-9a-f|-]+$/i;

/** Removes personal data and secrets from spans when they end. It is the first processor, so that exporters only see redacted spans. */
export const redactingProcessor: SpanProcessor = {
  onStart: () => undefined,
  onEnding(span: Span) {
    const name = withoutIdentities(span.name);
    if (name !== span.name) span.updateName(name);
    span.setAttributes(changesOf(span.attributes, isHttpRequest(span)));
    // The status of a span can only be replaced as a whole, not its message alone.
    if (span.status.code === SpanStatusCode.ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
    for (const { attributes } of span.events) if (attributes !== undefined) Object.assign(attributes, changesOf(attributes, false));
  },
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

function isHttpRequest({ kind, attributes }: Span): boolean {
  return kind === SpanKind.SERVER && attributes['http.request.method'] !== undefined;
}

/** Returns redacted values for the attributes that must be changed. */
function changesOf(attributes: Attributes, isOfClient: boolean): Attributes {
  const route = attributes['http.route'];
  const changes: Attributes = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value !== 'string') continue;
    const allowed = isOfClient && OF_CLIENT.has(key) ? REDACTED : shown(key, value, typeof route === 'string' ? route : '');
    if (allowed !== value) changes[key] = allowed;
  }
  return changes;
}

function shown(key: string, value: string, route: string): string {
  if (MESSAGES.has(key) || key === 'url.query') return REDACTED;
  if (key === 'exception.stacktrace') return framesOf(value);
  if (key === 'url.path') return pathOf(value, route);
  return withoutIdentities(ADDRESSES.has(key) ? value.replace(AFTER_HOST, `$1/${REDACTED}`) : value);
}

/** Keeps path segments that are part of the route or look like ids; anything else may contain arbitrary client input. */
function pathOf(path: string, route: string): string {
  const known = new Set(route.split('/'));
  return path
    .split('/')
    .map((segment) => (known.has(segment) || ID_LIKE.test(segment) ? segment : REDACTED))
    .join('/');
}
