import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@stechuhr/kernel';
import type { EntitledEmployee } from '../entitlement.js';
import { compareRules, type Rule } from '../rule.js';
import { day, employed, employee, entitlement, rule } from '../test-support.js';
import { placesOf, rulesInWindow, settingRules } from './generated-rules.js';
import { cutPage, isOwnedInWindow, OwnerCounts } from './owner-counts.js';
import { PlaceCounts } from './place-counts.js';

const INSTITUTION = 'f0000000-0000-4000-8000-000000000000';

function countsOf(places: readonly (readonly [availableFrom: number, priority: number])[]): PlaceCounts {
  const counts = new PlaceCounts();
  for (const [availableFrom, priority] of places) counts.add({ availableFrom, priority });
  return counts;
}

const place = (availableFrom: number, priority: number) => ({ availableFrom, priority });

describe('PlaceCounts', () => {
  const counts = countsOf([
    [20, 0],
    [10, 5],
    [10, 1],
    [10, 5],
    [10, 5],
  ]);

  it.each([
    [0, 1, { first: place(10, 1), last: place(10, 1), skip: 0, take: 1 }],
    [0, 2, { first: place(10, 1), last: place(10, 5), skip: 0, take: 1 }],
    [1, 3, { first: place(10, 5), last: place(10, 5), skip: 0, take: 3 }],
    [2, 2, { first: place(10, 5), last: place(10, 5), skip: 1, take: 3 }],
    [3, 10, { first: place(10, 5), last: place(20, 0), skip: 2, take: 9 }],
    [4, 10, { first: place(20, 0), last: place(20, 0), skip: 0, take: 10 }],
    [5, 10, undefined],
  ])('finds the places of the page at %i of %i', (offset, limit, expected) => {
    expect(counts.windowOf({ offset, limit })).toEqual(expected);
  });

  it('counts everything', () => {
    expect(counts.total).toBe(5);
    expect(new PlaceCounts().windowOf({ offset: 0, limit: 1 })).toBeUndefined();
  });

  it('refuses more different positions than fit into memory', () => {
    const few = new PlaceCounts(() => undefined, 2);
    for (const [availableFrom, priority] of [
      [10, 0],
      [10, 1],
      [10, 0],
      [10, 1],
    ] as const)
      few.add(place(availableFrom, priority));
    expect(() => few.add(place(11, 0))).toThrow(
      expect.objectContaining({ code: 'invalid', details: { non_field_errors: [expect.any(String)] } }),
    );
  });
});

/** At one position, in the property below: three entitlements and twenty manual rules. */
const MOST_OF_AN_EMPLOYEE = 23;

const bounds = { first: day('2020-01-01'), last: day('2026-12-31') };

/** The list operation without its servers. */
function pageOf(staff: readonly EntitledEmployee[], manual: readonly Rule[], page: { offset: number; limit: number }): readonly Rule[] {
  const counts = new PlaceCounts();
  for (const member of staff) for (const found of placesOf(member, bounds)) counts.add(found);
  for (const found of manual) counts.add(found);
  const window = counts.windowOf(page);
  if (window === undefined) return [];
  const owners = new OwnerCounts(window);
  for (const member of staff) for (const found of placesOf(member, bounds)) owners.add(found, member.id);
  for (const found of manual) owners.add(found, found.employeeId);
  const part = { bounds, window: owners.window };
  const found = [
    ...staff.flatMap((member) => [...rulesInWindow(INSTITUTION, member, part)]),
    ...manual.filter((one) => isOwnedInWindow(one, part.window)),
  ];
  // Beside the page, there may be the other rules of its first and last employee at these positions.
  expect(found.length).toBeLessThanOrEqual(page.limit + 2 * MOST_OF_AN_EMPLOYEE);
  return cutPage(found, part.window, page.limit);
}

const someDay = fc.integer({ min: day('2019-01-01'), max: day('2026-12-31') });
const staffOf = fc.array(
  fc.record({
    hiredOn: fc.oneof(fc.constant(day('2019-05-01')), someDay),
    settings: fc.array(
      fc.record({ priority: fc.integer({ min: 0, max: 2 }), validFrom: fc.oneof(fc.constant(day('2000-01-01')), someDay) }),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 6 },
);
const manualOf = fc.array(
  fc.record({
    priority: fc.integer({ min: 0, max: 2 }),
    // The bounds of the expansion do not apply to manual rules.
    availableFrom: fc.oneof(fc.constant(day('2025-01-01')), fc.integer({ min: day('2019-01-01'), max: day('2029-12-31') })),
    employee: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 20 },
);

describe('OwnerCounts', () => {
  const [first, last] = [place(10, 0), place(20, 0)];

  /** Rules of three employees at both positions: one, three and two. */
  function windowOf(skip: number, take: number, to = last) {
    const owners = new OwnerCounts({ first, last: to, skip, take });
    for (const [employeeId, count] of [
      ['b', 3],
      ['c', 2],
      ['a', 1],
    ] as const) {
      for (let n = 0; n < count; n++) for (const one of [first, place(15, 0), last]) owners.add(one, employeeId);
    }
    const { window } = owners;
    return [window.first.employeeId, window.skip, window.last.employeeId];
  }

  it.each([
    [0, 1, ['a', 0, 'a']],
    [1, 2, ['b', 0, 'b']],
    [3, 4, ['b', 2, 'b']],
    [4, 5, ['c', 0, 'c']],
    [5, 9, ['c', 1, 'c']],
  ])('narrows a page that skips %i and takes %i', (skip, take, expected) => {
    expect(windowOf(skip, take)).toEqual(expected);
  });

  it('narrows a page at one position', () => {
    expect(windowOf(2, 5, first)).toEqual(['b', 1, 'c']);
  });
});

describe('a list', () => {
  it('contains the same rules in pages as on one page, in order and without duplicates', () => {
    fc.assert(
      fc.property(staffOf, manualOf, fc.integer({ min: 1, max: 7 }), (people, grants, limit) => {
        const staff = people.map(({ hiredOn, settings }, n) =>
          employee(
            n,
            settings.map((fields, at) => entitlement({ ...fields, id: `5e771900-0000-4000-8000-00000000000${String(at)}` })),
            { ...employed('2020-01-01'), hiredOn },
          ),
        );
        const manual = grants.map(({ employee: n, ...fields }) => rule({ ...fields, id: newId(), employeeId: employee(n, []).id }));
        const whole = [...staff.flatMap((member) => [...settingRules(INSTITUTION, member, bounds)]), ...manual].sort(compareRules);
        const pages = Array.from({ length: Math.ceil(whole.length / limit) + 1 }, (_, at) =>
          pageOf(staff, manual, { offset: at * limit, limit }),
        );
        expect(pages.flat()).toEqual(whole);
        expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
      }),
    );
  });
});
