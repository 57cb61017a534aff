import { events, ingestKinds } from './events.js';
import { streams } from './streams.js';
import { handedOverKinds } from './subjects.js';
import { subscriptions } from './subscriptions.js';

/** An id, or the part of a dead letter's subject. */
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+)$/i;

/** Every word in the subjects of the platform. */
const words: ReadonlySet<string> = new Set(
  [
    ...Object.values(streams).flatMap(({ subjects }) => subjects),
    ...subscriptions.flatMap(({ filterSubject, deadLetter }) => [filterSubject, deadLetter]),
    ...events.map(({ type }) => type),
    ...ingestKinds,
    ...handedOverKinds,
    'none',
  ].flatMap((text) => text.split('.')),
);

/**
 * Returns a subject for logs and spans: with its ids and words, and without what else it contains. A publisher of live objects may publish on
 * `stechuhr.ingest.<institution>.>`, so it can write any text into a subject.
 */
export function shownSubject(subject: string): string {
  return subject
    .split('.')
    .map((part) => (ID.test(part) || words.has(part) ? part : '[redacted]'))
    .join('.');
}
