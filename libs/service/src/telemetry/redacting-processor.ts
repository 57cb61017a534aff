import { SpanStatusCode, type Attributes } from '@opentelemetry/api';
import type { Span, SpanProcessor } from '@opentelemetry/sdk-trace';
import { REDACTED, framesOf, withoutIdentities } from '../redaction.js';

// What an error says may repeat its input. The log line of the same trace says it, without that.
const MESSAGES = new Set(['exception.message', 'grpc.error_message', 'error.message']);
// Of outgoing requests: the convention, and two older ones. Paths of webhooks may be secrets as well as their queries.
const ADDRESSES = new Set(['url.full', 'http.url', 'http.target']);
const BEHIND_THE_HOST = /^([a-z]+:\/\/[^/?#]*)?.*$/is;
const ID_LIKE = /^[0-9a-f|-]+$/i;

/** Takes personal data and secrets out of spans as they end; the first of the processors, so that no exporter sees more. */
export const redactingProcessor: SpanProcessor = {
  onStart: () => undefined,
  onEnding(span: Span) {
    const name = withoutIdentities(span.name);
    if (name !== span.name) span.updateName(name);
    span.setAttributes(changesOf(span.attributes));
    // Once set, the status of a span can be replaced, but not its message alone.
    if (span.status.code === SpanStatusCode.ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
    for (const { attributes } of span.events) if (attributes !== undefined) Object.assign(attributes, changesOf(attributes));
  },
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

/** Those that may not be shown, as they may be. */
function changesOf(attributes: Attributes): Attributes {
  const route = attributes['http.route'];
  const changes: Attributes = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value !== 'string') continue;
    const allowed = shown(key, value, typeof route === 'string' ? route : '');
    if (allowed !== value) changes[key] = allowed;
  }
  return changes;
}

function shown(key: string, value: string, route: string): string {
  if (MESSAGES.has(key) || key === 'url.query') return REDACTED;
  if (key === 'exception.stacktrace') return framesOf(value);
  if (key === 'url.path') return pathOf(value, route);
  return withoutIdentities(ADDRESSES.has(key) ? value.replace(BEHIND_THE_HOST, `$1/${REDACTED}`) : value);
}

/** The path where it consists of words of the route and of ids; anything else a client may have put there. */
function pathOf(path: string, route: string): string {
  const known = new Set(route.split('/'));
  return path
    .split('/')
    .map((segment) => (known.has(segment) || ID_LIKE.test(segment) ? segment : REDACTED))
    .join('/');
}
