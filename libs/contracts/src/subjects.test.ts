import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { streams } from './streams.js';
import {
  deadLetterSubject,
  deadLetterSubjects,
  handedOver,
  handOverHeaders,
  handOverSubject,
  handOverSubjectAmongJobs,
  ingestSubject,
  institutionOfSubject,
  originOf,
  originOfDeadLetter,
} from './subjects.js';

const MIB = 1_048_576;
const A = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';
const PLACE = { origin: 'ingest', institutionId: A, bytes: 1_000, number: 1 };
const partOf = (place: Partial<typeof PLACE>): number => Number(deadLetterSubject({ ...PLACE, ...place }).split('.')[4]);

/** Returns over how many parts consecutive numbers are distributed, and the maximum number of letters in one part. */
function spread(bytes: number, letters: number, step = 1): { readonly parts: number; readonly most: number } {
  const counts = new Map<number, number>();
  for (let n = 0; n < letters; n++) {
    // Sequences of the stream of live objects are microseconds since 1970.
    const part = partOf({ bytes, number: 1_800_000_000_000_000 + n * step });
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return { parts: counts.size, most: Math.max(...counts.values()) };
}

describe('a live object that was handed over', () => {
  const [B, kind] = ['7d9b0c52-6d0c-4a77-8a0e-5f4ac1f2f6b1', 'daily_report_entry'];
  const headers = handOverHeaders(ingestSubject(A, kind), 7);
  const header = (name: string) => headers[name];

  it.each([
    [handOverSubject(A, kind), { institutionId: A, kind, sequence: 7 }],
    [handOverSubjectAmongJobs(A, kind), { institutionId: A, kind, sequence: 7 }],
    [handOverSubject(B, kind), undefined],
    [handOverSubjectAmongJobs(B, kind), undefined],
    [handOverSubject(A, 'review_settings'), undefined],
    [ingestSubject(A, kind), undefined],
  ])('is only recognised by the subject of its institution and kind: %s', (subject, expected) => {
    expect(handedOver(subject, header)).toEqual(expected);
  });

  it.each([handOverSubject(A, kind), handOverSubjectAmongJobs(A, kind)])('names its institution and original subject: %s', (subject) => {
    expect([institutionOfSubject(subject), originOf(subject)]).toEqual([A, ingestSubject(A, kind)]);
  });

  it('has the headers of records', () => {
    expect(handedOver(handOverSubject(A, kind), () => undefined)).toBeUndefined();
  });
});

describe('the subject of a dead letter', () => {
  it('contains its origin and institution', () => {
    expect(deadLetterSubject(PLACE)).toMatch(new RegExp(`^stechuhr\\.dead\\.ingest\\.${A}\\.\\d+$`));
    expect(deadLetterSubject({ ...PLACE, institutionId: undefined })).toMatch(/^stechuhr\.dead\.ingest\.none\.\d+$/);
  });

  it.each([
    ['stechuhr.dead.ingest', 'ingest'],
    [`stechuhr.dead.absence-rules.${A}.7`, 'absence-rules'],
    [`stechuhr.ingest.${A}.employee`, undefined],
  ])('%s has the origin %s', (subject, origin) => {
    expect(originOfDeadLetter(subject)).toBe(origin);
  });

  it('is one of the subjects of its origin', () => {
    expect(deadLetterSubjects('export')).toEqual(['stechuhr.dead.export', 'stechuhr.dead.export.>']);
  });

  it('has smaller letters in higher parts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 2 * MIB }), fc.nat(), (bytes, number) => {
        expect(partOf({ bytes, number })).toBeLessThan(Math.max(1, MIB / bytes));
      }),
    );
  });

  it('leaves one institution less than half of the stream', () => {
    const { maxBytes, maxMessagesPerSubject } = streams.dead;
    const most = Array.from({ length: 1_024 }, (_, part) => MIB / (part + 1)).reduce((sum, bytes) => sum + bytes, 0);
    expect((maxMessagesPerSubject * most) / maxBytes).toBeLessThan(0.5);
  });

  it.each([
    [1_000, 1],
    [1_400, 1],
    [1_400, 2],
    [100_000, 1],
  ])('distributes letters of %i bytes, with a step of %i, evenly over all parts', (bytes, step) => {
    const parts = Math.min(1_024, Math.floor(MIB / bytes));
    expect(spread(bytes, parts * 10, step)).toEqual({ parts, most: expect.any(Number) });
    expect(spread(bytes, parts * 10, step).most).toBeLessThanOrEqual(14);
  });
});
