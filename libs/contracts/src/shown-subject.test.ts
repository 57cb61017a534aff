import { describe, expect, it } from '@jest/globals';
import { events } from './events.js';
import { shownSubject } from './shown-subject.js';
import { deadLetterSubject, deletionSubject, eventSubject, handedOverKinds, handOverSubject, ingestSubject } from './subjects.js';
import { subscriptions } from './subscriptions.js';

const A = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';

describe('a subject in logs and spans', () => {
  it.each([
    ...events.map(({ type }) => eventSubject(A, type)),
    ...handedOverKinds.flatMap((kind) => [ingestSubject(A, kind), handOverSubject(A, kind)]),
    ...subscriptions.map(({ filterSubject }) => filterSubject),
    ...subscriptions.map(({ deadLetter: origin }) => deadLetterSubject({ origin, institutionId: undefined, bytes: 100, number: 7 })),
    deletionSubject(A, 'reviews', 'employee'),
    'stechuhr.dead.ingest',
  ])('is shown whole: %s', (subject) => expect(shownSubject(subject)).toBe(subject));

  it.each([
    [ingestSubject(A, 'Rübezahl'), `stechuhr.ingest.${A}.[redacted]`],
    [`stechuhr.ingest.${A}.employee.max@example.com`, `stechuhr.ingest.${A}.employee.[redacted].[redacted]`],
    [ingestSubject('Muster', 'employee'), 'stechuhr.ingest.[redacted].employee'],
    ['stechuhr.dead.ingest.Muster.17', 'stechuhr.dead.ingest.[redacted].17'],
  ])('has no text of a publisher: %s', (subject, shown) => expect(shownSubject(subject)).toBe(shown));
});
