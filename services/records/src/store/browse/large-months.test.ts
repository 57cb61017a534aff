import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { placesOf } from './large-months.js';
import { compareRows } from './month-rows.js';

const FIRST = 20_000;

/** Returns the entries [employee, day] of a profile in the order of the list. */
function sorted(counts: Readonly<Record<string, readonly number[]>>, descending: boolean) {
  const rows = Object.entries(counts).flatMap(([employeeId, perDay]) =>
    perDay.flatMap((count, day) =>
      Array.from({ length: count }, (_, n) => ({ employeeId, date: FIRST + day, id: String(n), startedAt: 0, workdayId: '' })),
    ),
  );
  const full = rows.map((row) => ({ ...row, documentId: '', version: 1, sequence: undefined, modifiedAt: undefined }));
  return full.sort(compareRows(descending)).map(({ employeeId, date, id }) => `${employeeId} ${String(date)} ${id}`);
}

describe('placesOf', () => {
  const perDay = fc.array(fc.nat({ max: 3 }), { minLength: 31, maxLength: 31 });

  it('finds the employees and days of every part of a month', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), perDay, { noNullPrototype: true }),
        fc.nat({ max: 120 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (counts, offset, limit, descending) => {
          const byEmployee = new Map(Object.entries(counts).map(([id, days]) => [id, Uint32Array.from(days)]));
          const { places, skip } = placesOf({ first: FIRST, byEmployee }, { offset, limit, descending });
          const all = sorted(counts, descending);
          const kept = all.filter((row) => {
            const [employeeId = '', date] = row.split(' ');
            return places.get(employeeId)?.has(Number(date)) === true;
          });
          expect(kept.slice(skip, skip + limit)).toEqual(all.slice(offset, offset + limit));
          // Nothing but the part, and what else its first and its last employee have on these days.
          expect(kept.length).toBeLessThanOrEqual(limit + 2 * 2);
        },
      ),
    );
  });
});
